import { ago, counted } from "../app/format.ts";
import { addressOf, route } from "../app/router.ts";
import { needsProject, projects } from "../app/team.ts";
import { EmptyState, Loading } from "../parts/states.tsx";
import { TableBox } from "../parts/table-box.tsx";

/** The projects that the access token may read, each with the commit that is served and its age. */
export function ProjectsView() {
  const { view } = route.value;
  const listed = projects.value;
  if (listed === undefined) return <Loading lines={8} />;
  const isChoice = needsProject.value && view !== "overview";
  return (
    <div class="projects">
      <header class="view-head">
        <h1>Projects</h1>
        <p class="faint">
          {isChoice ? `Choose a project to see its ${view}.` : counted(listed.length, "project")}
        </p>
      </header>
      {listed.length === 0 && (
        <EmptyState title="This token may read no project.">
          <p>Whoever runs the server can grant it some.</p>
        </EmptyState>
      )}
      {listed.length > 0 && (
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
              {listed.map(({ name, commit, published_at }) => (
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
