import type { ComponentChildren } from "preact";

interface TextBoxProps {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Text with its own scroll bar. The keyboard can reach it, and a screen reader says what it is. */
export const TextBox = ({ label, class: name = "", children }: TextBoxProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll the text.
  <section class={`text-box ${name}`} aria-label={label} tabIndex={0}>
    <pre>{children}</pre>
  </section>
);
