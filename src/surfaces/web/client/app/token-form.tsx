import { useState } from "preact/hooks";
import { messageOf, openSession } from "./api.ts";
import { follow } from "./live.ts";

/** Asks for the server's bearer token. The browser keeps only a cookie that is derived from it. */
export function TokenForm() {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState("");
  const send = (event: Event) => {
    event.preventDefault();
    openSession(token).then(follow, (thrown: unknown) => setProblem(messageOf(thrown)));
  };
  return (
    <form class="token-form panel" onSubmit={send}>
      <h1>This server needs its token</h1>
      <p>
        It is the text in the file that was given as <code>--token-file</code>. It is asked for once.
      </p>
      <label>
        Token
        <input
          type="password"
          autoComplete="current-password"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      {problem !== "" && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" disabled={token === ""}>
        Open
      </button>
    </form>
  );
}
