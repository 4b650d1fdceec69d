import { signal } from "@preact/signals";
import { navigate, route } from "./router.ts";
import { shownViews } from "./team.ts";
import { nextTheme } from "./theme.ts";

export const isHelpOpen = signal(false);
/** Set by a view that has a list: moves the selection, or acts on it. Returns whether it used the key. */
export const listKeys = signal<((key: string) => boolean) | undefined>(undefined);

export const SHORTCUTS: readonly (readonly [string, string])[] = [
  ["/", "Search"],
  ["1 2 3 …", "Go to a view"],
  ["j k", "Next or previous row"],
  ["Enter", "Open the row"],
  ["o", "Open the result in the editor"],
  ["c", "Copy path and line"],
  ["t", "Light, dark or as the system"],
  ["?", "This list"],
  ["Esc", "Close, or leave a field"],
];

/** Keys work wherever nothing is being typed. */
export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      isHelpOpen.value = false;
      return;
    }
    if (isTyping(event.target)) return;
    if (pressed(event.key)) event.preventDefault();
  });
}

function pressed(key: string): boolean {
  const view = shownViews()[Number(key) - 1];
  if (view) navigate(view.id);
  else if (key === "/") focusSearch();
  else if (key === "?") isHelpOpen.value = !isHelpOpen.value;
  else if (key === "t") nextTheme();
  else return listKeys.value?.(key) ?? false;
  return true;
}

function focusSearch(): void {
  if (route.value.view !== "search" && !document.querySelector("main input[type=search]")) navigate("search");
  requestAnimationFrame(() => document.querySelector<HTMLInputElement>("main input[type=search]")?.focus());
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLElement && target.closest("dialog") !== null);
