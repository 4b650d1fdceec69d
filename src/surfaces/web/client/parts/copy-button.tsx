import { useState } from "preact/hooks";

const SHOWN_MS = 1_500;

export function CopyButton({ text, label = "Copy" }: { readonly text: string; readonly label?: string }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    setSaid((await copyText(text)) ? "Copied" : "Not copied");
    setTimeout(() => setSaid(""), SHOWN_MS);
  };
  return (
    <button type="button" class="quiet copy" onClick={copy} aria-live="polite">
      {said || label}
    </button>
  );
}

/** The clipboard needs a secure page; over plain HTTP from another machine the old way works. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}
