import type { ComponentChildren } from "preact";

/** A table that may be wider than the page: the keyboard can scroll it. */
export const TableBox = ({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll the table.
  <section class="table-box" aria-label={label} tabIndex={0}>
    {children}
  </section>
);
