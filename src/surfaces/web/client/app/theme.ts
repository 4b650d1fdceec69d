import { signal } from "@preact/signals";

type ThemeName = "system" | "light" | "dark";
const ORDER = ["system", "light", "dark"] as const;
const KEY = "contextful-theme";

export const theme = signal<ThemeName>(ORDER.find((name) => name === localStorage.getItem(KEY)) ?? "system");
theme.subscribe((name) => {
  document.documentElement.dataset["theme"] = name;
  localStorage.setItem(KEY, name);
});

export function nextTheme(): void {
  theme.value = ORDER[(ORDER.indexOf(theme.value) + 1) % ORDER.length] ?? "system";
}
