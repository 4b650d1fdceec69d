import { useEffect } from "preact/hooks";
import { listKeys } from "../app/shortcuts.ts";

/** j and k move through everything marked as a result; o, c and Enter press the buttons in it. */
export function useResultKeys(): void {
  useEffect(() => {
    listKeys.value = (key) => {
      const results = [...document.querySelectorAll<HTMLElement>("main [data-result]")];
      const at = results.findIndex((each) => each.contains(document.activeElement));
      if (key === "j" || key === "ArrowDown") return focus(results[at + 1]);
      if (key === "k" || key === "ArrowUp") return focus(results[Math.max(0, at - 1)]);
      const button = { o: ".editor-links a", c: ".editor-links .copy", Enter: "[data-open]" }[key];
      const target = button === undefined ? null : results[at]?.querySelector<HTMLElement>(button);
      if (key === "Enter" && document.activeElement !== results[at]) return false;
      target?.click();
      return target != null;
    };
    return () => {
      listKeys.value = undefined;
    };
  }, []);
}

function focus(result: HTMLElement | undefined): boolean {
  result?.focus();
  result?.scrollIntoView({ block: "nearest" });
  return result !== undefined;
}
