import type { ComponentChildren } from "preact";
import { CopyButton } from "./copy-button.tsx";

/** A command of the terminal, with a button that copies it. */
export function CommandLine({ command }: { readonly command: string }) {
  return (
    <span class="command">
      <code>{command}</code>
      <CopyButton text={command} />
    </span>
  );
}

export function EmptyState(props: {
  readonly title: string;
  readonly command?: string | undefined;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      {props.children}
      {props.command !== undefined && <CommandLine command={props.command} />}
    </div>
  );
}

export function Problem({ text, onRetry }: { readonly text: string; readonly onRetry?: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>{text}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Reserves the space of what is being read, so that nothing jumps. */
export const Loading = ({ lines = 3 }: { readonly lines?: number }) => (
  <div class="loading" role="status" aria-label="Reading">
    {Array.from({ length: lines }, (_, at) => (
      <span key={at} />
    ))}
  </div>
);
