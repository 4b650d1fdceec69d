import { useState } from "preact/hooks";
import { asksForTeamToken, isTeam, messageOf, openSession } from "./api.ts";
import { follow } from "./live.ts";

/** Asks for a token. Of the token of one server the browser keeps only a cookie; of a team's, this tab keeps the token. */
export function TokenForm() {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState("");
  const send = (event: Event) => {
    event.preventDefault();
    // Of what another access token has shown, nothing may stay.
    const start = () => (isTeam() ? location.reload() : follow());
    openSession(token.trim()).then(start, (thrown: unknown) => setProblem(messageOf(thrown)));
  };
  return (
    <form class="token-form panel" onSubmit={send}>
      <h1>{asksForTeamToken.value ? "Your access token" : "This server needs its token"}</h1>
      {asksForTeamToken.value ? (
        <p>
          It begins with <code>ctx_</code>. Only this tab keeps it, until it is closed.
        </p>
      ) : (
        <p>
          It is the text in the file that was given as <code>--token-file</code>. It is asked for once.
        </p>
      )}
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
