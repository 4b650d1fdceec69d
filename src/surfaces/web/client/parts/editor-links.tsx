import { signal } from "@preact/signals";
import { isTeam, session } from "../app/api.ts";
import { CopyButton } from "./copy-button.tsx";

const EDITORS = ["vscode", "cursor", "idea"] as const;
type EditorName = (typeof EDITORS)[number];
const TITLES = { vscode: "VS Code", cursor: "Cursor", idea: "IntelliJ" } as const satisfies Record<
  EditorName,
  string
>;
const KEY = "contextful-editor";

const editor = signal<EditorName>(EDITORS.find((name) => name === localStorage.getItem(KEY)) ?? "vscode");
editor.subscribe((name) => localStorage.setItem(KEY, name));

/** The address that opens a file of the project in the chosen editor. */
function editorAddress(path: string, line: number, name: EditorName = editor.value): string {
  const root = (session.value?.root ?? "").replaceAll("\\", "/").replace(/\/$/, "");
  const file = `${root.startsWith("/") ? "" : "/"}${root}/${path}`
    .split("/")
    .map(encodeURIComponent)
    .join("/");
  return name === "idea" ? `idea://open?file=${file}&line=${line}` : `${name}://file${file}:${line}`;
}

/** A team's server has no files that an editor here could open. */
export function EditorChoice() {
  if (isTeam()) return null;
  return (
    <label class="quiet-label">
      Editor{" "}
      <select
        value={editor.value}
        onChange={(event) => {
          editor.value = EDITORS.find((name) => name === event.currentTarget.value) ?? "vscode";
        }}
      >
        {EDITORS.map((name) => (
          <option key={name} value={name}>
            {TITLES[name]}
          </option>
        ))}
      </select>
    </label>
  );
}

export function EditorLinks({ path, line }: { readonly path: string; readonly line: number }) {
  return (
    <span class="editor-links">
      {!isTeam() && (
        <a href={editorAddress(path, line)} aria-label={`Open ${path} in ${TITLES[editor.value]}`}>
          Open
        </a>
      )}
      <CopyButton text={`${path}:${line}`} label="Copy path" />
    </span>
  );
}
