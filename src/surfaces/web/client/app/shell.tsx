import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ActivityView } from "../activity/activity-view.tsx";
import { DocumentsView } from "../documents/documents-view.tsx";
import { EvaluationView } from "../evaluation/evaluation-view.tsx";
import { MapView } from "../map/map-view.tsx";
import { MemoryView } from "../memory/memory-view.tsx";
import { OverviewView } from "../overview/overview-view.tsx";
import { PacksView } from "../packs/packs-view.tsx";
import { ProjectsView } from "../projects/projects-view.tsx";
import { SearchView } from "../search/search-view.tsx";
import { isTeam, session, sessionState, signOut } from "./api.ts";
import { IndexLine } from "./index-line.tsx";
import { calls, isConnected } from "./live.ts";
import { addressOf, navigate, project, route, VIEWS, type ViewId } from "./router.ts";
import { isHelpOpen, SHORTCUTS } from "./shortcuts.ts";
import { needsProject, projects, shownViews } from "./team.ts";
import { nextTheme, theme } from "./theme.ts";
import { TokenForm } from "./token-form.tsx";

const COMPONENTS: Readonly<Record<ViewId, ComponentType>> = {
  overview: OverviewView,
  search: SearchView,
  activity: ActivityView,
  packs: PacksView,
  memory: MemoryView,
  map: MapView,
  documents: DocumentsView,
  evaluation: EvaluationView,
};

/** A team's server begins with its projects, and packs, memory and documents are those of one project. */
function viewOf(view: ViewId): ComponentType {
  const isShown = shownViews().some(({ id }) => id === view);
  if (isTeam() && (view === "overview" || !isShown)) return ProjectsView;
  return needsProject.value && view !== "search" ? ProjectsView : COMPONENTS[view];
}

/** Navigation, connection state, and the view that the address names. */
export function Shell() {
  const { view } = route.value;
  const View = viewOf(view);
  const title = VIEWS.find(({ id }) => id === view)?.title ?? "";
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = `${title} · Contextful`;
    main.current?.scrollTo(0, 0);
  }, [title]);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Navigation view={view} />
      <main id="main" tabIndex={-1} ref={main} data-view={view}>
        {!isConnected.value && sessionState.value === "open" && (
          <p class="notice" role="status">
            The server is away. This page connects again when it is back.
          </p>
        )}
        {sessionState.value === "token-needed" && <TokenForm />}
        {sessionState.value === "open" && <View />}
      </main>
      {isHelpOpen.value && <Help />}
    </div>
  );
}

function Navigation({ view }: { readonly view: ViewId }) {
  return (
    <header class="side">
      <a class="brand" href={addressOf("overview")}>
        <img src="/page/icon.svg" alt="" width="22" height="22" />
        <span>Contextful</span>
      </a>
      <nav aria-label="Views">
        <ul>
          {shownViews().map(({ id, title }, at) => (
            <li key={id}>
              <a href={addressOf(id)} aria-current={id === view ? "page" : undefined}>
                <span>{title}</span>
                {id === "activity" && calls.value.length > 0 && (
                  <span class="count">{calls.value.length}</span>
                )}
                <kbd title="Key">{at + 1}</kbd>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="side-end">
        {isTeam() ? <ProjectChoice view={view} /> : <IndexLine />}
        <div class="side-tools">
          <button type="button" class="quiet" onClick={nextTheme} title="Light, dark or as the system (t)">
            Theme: {theme}
          </button>
          <button type="button" class="quiet" onClick={() => (isHelpOpen.value = true)} title="Keys (?)">
            Keys
          </button>
        </div>
        <p class="faint">
          {session.value?.version ?? ""}
          {session.value?.read_only ? " · read only" : ""}
        </p>
      </div>
    </header>
  );
}

/** Read anew, so that nothing of what the token showed stays. */
function forgetToken(): void {
  signOut();
  location.reload();
}

function ProjectChoice({ view }: { readonly view: ViewId }) {
  return (
    <>
      <label>
        Project{" "}
        <select
          value={project.value}
          onChange={(event) =>
            navigate(view, { ...Object.fromEntries(route.value.params), project: event.currentTarget.value })
          }
        >
          <option value="">all</option>
          {projects.value?.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <button type="button" class="quiet" onClick={forgetToken}>
        Forget the token
      </button>
    </>
  );
}

function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => {
    isHelpOpen.value = false;
  };
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {SHORTCUTS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
