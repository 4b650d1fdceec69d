import { render } from "preact";
import { messageOf, openSession, sessionState } from "./app/api.ts";
import { follow } from "./app/live.ts";
import { Shell } from "./app/shell.tsx";
import { listenToKeys } from "./app/shortcuts.ts";

listenToKeys();
render(<Shell />, document.body);
openSession().then(follow, (thrown: unknown) => {
  // The token is asked for by the shell; anything else is tried again.
  if (sessionState.value !== "token-needed") document.title = `Contextful: ${messageOf(thrown)}`;
});
