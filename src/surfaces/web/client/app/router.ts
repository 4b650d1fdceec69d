import { computed, signal } from "@preact/signals";

export const VIEWS = [
  { id: "overview", title: "Overview" },
  { id: "search", title: "Search" },
  { id: "activity", title: "Activity" },
  { id: "packs", title: "Packs" },
  { id: "memory", title: "Memory" },
  { id: "map", title: "Map" },
  { id: "documents", title: "Documents" },
  { id: "evaluation", title: "Evaluation" },
] as const;
export type ViewId = (typeof VIEWS)[number]["id"];

interface PageRoute {
  readonly view: ViewId;
  readonly params: URLSearchParams;
}

/** The address after `#` names the view and what it shows, so that a view can be linked and reloaded. */
export const route = signal<PageRoute>(readRoute());
/** On a team's server: the project that the views show; empty: all. It stays while one goes from view to view. */
export const project = computed(() => route.value.params.get("project") ?? "");
addEventListener("hashchange", () => {
  route.value = readRoute();
});

function readRoute(): PageRoute {
  const [name = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const view = VIEWS.find(({ id }) => id === name)?.id ?? "overview";
  return { view, params: new URLSearchParams(query) };
}

export function addressOf(view: ViewId, params: Readonly<Record<string, string>> = {}): string {
  const all = { ...params, project: params["project"] ?? project.value };
  const query = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== "")).toString();
  return `#/${view}${query === "" ? "" : `?${query}`}`;
}

export function navigate(view: ViewId, params?: Readonly<Record<string, string>>): void {
  location.hash = addressOf(view, params);
}

/** Changes the address without a new entry in the history, as while someone types. */
export function replaceParams(view: ViewId, params: Readonly<Record<string, string>>): void {
  history.replaceState(null, "", addressOf(view, params));
  route.value = readRoute();
}
