import { useMemo, useState } from "preact/hooks";
import type { z } from "zod";
import type { ProjectMap } from "../../project-map.ts";
import { callPageTool } from "../app/api.ts";
import { counted } from "../app/format.ts";
import { calls } from "../app/live.ts";
import { addressOf, navigate, route } from "../app/router.ts";
import { theme } from "../app/theme.ts";
import { EmptyState, Loading, Problem } from "../parts/states.tsx";
import { useLoaded } from "../parts/use-loaded.ts";
import { DirectoryPane } from "./directory-pane.tsx";
import { MapCanvas } from "./map-canvas.tsx";
import { COLOR_MODES, type ColorMode, MODE_TITLES, mapColors } from "./map-colors.ts";
import { buildTree, findNode } from "./treemap.ts";

export type ProjectFiles = z.output<typeof ProjectMap>;

/** The repository as a treemap: size by lines, colour by what is asked for. */
export function MapView() {
  const { value, problem, reload } = useLoaded<ProjectFiles>(
    (signal) => callPageTool("page_map", {}, signal),
    "map",
  );
  return (
    <div class="map-view">
      <h1 class="visually-hidden">Map</h1>
      {problem !== undefined && (
        <EmptyState title="There is no map without an index." command="contextful code index">
          <Problem text={problem} onRetry={reload} />
        </EmptyState>
      )}
      {value === undefined && problem === undefined && <Loading lines={10} />}
      {value?.paths.length === 0 && <EmptyState title="The index has no files." />}
      {value && value.paths.length > 0 && <LoadedMap files={value} />}
    </div>
  );
}

function LoadedMap({ files }: { readonly files: ProjectFiles }) {
  const [mode, setMode] = useState<ColorMode>("churn");
  const tree = useMemo(() => buildTree(files.paths, files.lines), [files]);
  const node = findNode(tree, route.value.params.get("at") ?? "");
  const asked = useMemo(() => countPaths(calls.value), [calls.value]);
  const colors = useMemo(() => mapColors(mode, files, asked), [mode, files, asked, theme.value]);
  const zoom = (path: string) => navigate("map", { at: path });
  return (
    <>
      <header class="row map-head">
        <Crumbs path={node.path} />
        <span class="faint">{counted(node.size, "line")}</span>
        <label class="quiet-label">
          Colour{" "}
          <select
            value={mode}
            onChange={(event) =>
              setMode(COLOR_MODES.find((each) => each === event.currentTarget.value) ?? mode)
            }
          >
            {COLOR_MODES.map((each) => (
              <option key={each} value={each}>
                {MODE_TITLES[each]}
              </option>
            ))}
          </select>
        </label>
        <ul class="legend">
          {colors.legend.map(({ name, color }) => (
            <li key={name}>
              <span class="swatch" style={{ background: color }} />
              {name}
            </li>
          ))}
        </ul>
      </header>
      <div class="map-split">
        <MapCanvas node={node} colors={colors} zoom={zoom} />
        <DirectoryPane node={node} files={files} asked={asked} />
      </div>
    </>
  );
}

function Crumbs({ path }: { readonly path: string }) {
  const names = path.split("/").filter(Boolean);
  return (
    <nav class="crumbs" aria-label="Directory">
      <a href={addressOf("map")}>project</a>
      {names.map((name, at) => (
        <span key={name}>
          {" / "}
          <a href={addressOf("map", { at: names.slice(0, at + 1).join("/") })}>{name}</a>
        </span>
      ))}
    </nav>
  );
}

/** How often agents were given something from each file. */
function countPaths(seen: typeof calls.value): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { paths } of seen) for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}
