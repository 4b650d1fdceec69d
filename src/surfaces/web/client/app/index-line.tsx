import { counted, percent } from "./format.ts";
import { indexStatus, isConnected } from "./live.ts";

/** The state of the index in one line, on every view. */
export function IndexLine() {
  const status = indexStatus.value;
  return (
    <p class="index-line" role="status">
      <span class="dot" data-state={stateOf()} />
      {textOf()}
    </p>
  );

  function stateOf() {
    if (!isConnected.value) return "away";
    if (status?.problem !== undefined) return "problem";
    if (status?.indexing) return "busy";
    return status?.indexed ? "ready" : "empty";
  }

  function textOf() {
    if (!isConnected.value) return "Connecting";
    if (status?.problem !== undefined) return "The index has a problem";
    if (status?.indexing) {
      const { files_done, files_total } = status.indexing;
      return `Indexing ${percent(files_done, files_total)}`;
    }
    if (!status?.statistics) return status ? "Not indexed" : "";
    return counted(status.statistics.total_files, "file");
  }
}
