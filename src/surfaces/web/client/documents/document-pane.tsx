import { callTool } from "../app/api.ts";
import { ago } from "../app/format.ts";
import { Loading, Problem } from "../parts/states.tsx";
import { TextBox } from "../parts/text-box.tsx";
import { useLoaded } from "../parts/use-loaded.ts";

interface WholeDocument {
  readonly title: string | null;
  readonly source: string;
  readonly source_id: string;
  readonly source_url: string | null;
  readonly updated_at: string;
  readonly body: string;
}

export function DocumentPane({ id }: { readonly id: string }) {
  const { value, problem } = useLoaded<WholeDocument>((signal) => callTool("get", { id }, signal), id);
  // An address from a document may have any scheme; only these are safe to follow.
  const address = /^https?:\/\//i.test(value?.source_url ?? "")
    ? (value?.source_url ?? undefined)
    : undefined;
  return (
    <section class="panel document-pane" aria-label="Document">
      {problem !== undefined && <Problem text={problem} />}
      {value === undefined && problem === undefined && <Loading lines={6} />}
      {value && (
        <>
          <h2>{value.title ?? value.source_id}</h2>
          <p class="faint">
            {value.source} · <span class="path">{value.source_id}</span> · updated {ago(value.updated_at)}
            {address !== undefined && (
              <>
                {" · "}
                <a href={address} rel="noreferrer noopener" target="_blank">
                  Open the source
                </a>
              </>
            )}
          </p>
          <TextBox label="Text of the document">{value.body}</TextBox>
        </>
      )}
    </section>
  );
}
