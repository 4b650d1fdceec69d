import { counted, number } from "../app/format.ts";
import { addressOf } from "../app/router.ts";
import { EditorLinks } from "../parts/editor-links.tsx";
import { CommandLine } from "../parts/states.tsx";
import type { ProjectFiles } from "./map-view.tsx";
import type { MapNode } from "./treemap.ts";

interface DirectoryPaneProps {
  readonly node: MapNode;
  readonly files: ProjectFiles;
  readonly asked: ReadonlyMap<string, number>;
}
const SHOWN = 60;

/** What the directory is for, and what is in it: the same as the canvas, as a list. */
export function DirectoryPane({ node, files, asked }: DirectoryPaneProps) {
  const scope = node.path === "" ? "." : node.path;
  const context = files.directories[scope];
  return (
    <aside class="panel directory-pane" aria-label={`Directory ${scope}`}>
      <h2>{node.name || "The project"}</h2>
      {context && context.state !== "missing" ? (
        <>
          <p>{context.summary}</p>
          <p>
            <span class="dot" data-state={context.state === "fresh" ? "ready" : "stale"} />
            {context.state === "fresh" ? "its context is fresh" : "its context is out of date"}
          </p>
          {context.state !== "fresh" && <CommandLine command={`contextful directories regen ${scope}`} />}
        </>
      ) : (
        <>
          <p class="faint">Nobody has described this directory.</p>
          <CommandLine command="contextful directories init" />
        </>
      )}
      <ul class="children">
        {node.children.slice(0, SHOWN).map((child) => (
          <li key={child.path}>
            {child.file === undefined ? (
              <a href={addressOf("map", { at: child.path })}>{child.name}/</a>
            ) : (
              <span class="path">{child.name}</span>
            )}
            <span class="faint">
              {number(child.size)}
              {child.file !== undefined && (files.changes[child.file] ?? 0) > 0
                ? ` · ${counted(files.changes[child.file] ?? 0, "commit")}`
                : ""}
              {asked.has(child.path) ? ` · given ${asked.get(child.path)}×` : ""}
            </span>
            {child.file !== undefined && <EditorLinks path={child.path} line={1} />}
          </li>
        ))}
      </ul>
      {node.children.length > SHOWN && <p class="faint">and {number(node.children.length - SHOWN)} more</p>}
    </aside>
  );
}
