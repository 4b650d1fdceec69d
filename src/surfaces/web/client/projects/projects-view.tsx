import { ago, counted } from "../app/format.ts";
import { addressOf, route } from "../app/router.ts";
import { needsProject, projects } from "../app/team.ts";
import { EmptyState } from "../parts/states.tsx";
import { TableBox } from "../parts/table-box.tsx";

/** The projects that the access token may read, each with the commit that is served and its age. */
export function ProjectsView() {
  const { view } = route.value;
  const isChoice = needsProject.value && view !== "overview";
  return (
    <div class="projects">
      <header class="view-head">
        <h1>Projects</h1>
        <p class="faint">
          {isChoice ? `Choose a project to see its ${view}.` : counted(projects.value.length, "project")}
        </p>
      </header>
      {projects.value.length === 0 && (
        <EmptyState title="This token may read no project.">
          <p>Whoever runs the server can grant it some.</p>
        </EmptyState>
      )}
      {projects.value.length > 0 && (
        <TableBox label="Projects">
          <table>
            <thead>
              <tr>
                <th scope="col">Project</th>
                <th scope="col">Commit</th>
                <th scope="col">Published</th>
              </tr>
            </thead>
            <tbody>
              {projects.value.map(({ name, commit, published_at }) => (
                <tr key={name}>
                  <td>
                    <a href={addressOf(isChoice ? view : "search", { project: name })}>{name}</a>
                  </td>
                  <td>
                    <code>{commit?.slice(0, 12) ?? "not indexed yet"}</code>
                  </td>
                  <td title={published_at}>{published_at === undefined ? "" : ago(published_at)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
    </div>
  );
}
