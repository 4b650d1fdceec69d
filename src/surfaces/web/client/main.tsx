import { render } from "preact";
import { connect } from "./app/live.ts";
import { Shell } from "./app/shell.tsx";
import { listenToKeys } from "./app/shortcuts.ts";

listenToKeys();
render(<Shell />, document.body);
connect();
