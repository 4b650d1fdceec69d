interface ProgressBarProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
}

export const ProgressBar = ({ label, value, max }: ProgressBarProps) => (
  <progress aria-label={label} value={value} max={Math.max(1, max)} />
);
