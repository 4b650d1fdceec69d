import { readFile } from "node:fs/promises";
import { z } from "zod";
import { deadline } from "../../../core/deadline.ts";
import { DomainError } from "../../../core/errors.ts";
import type { Machine } from "../../../core/machine.ts";
import { serverAddress, storeToken } from "../../../core/replica/http/open-http.ts";
import { parseToken } from "./token.ts";

interface LoginOptions {
  readonly env: Machine["env"];
  /** The store that the user's configuration names. */
  readonly configured: string | undefined;
}
const TIMEOUT_MS = 30_000;
const Listed = z.object({ projects: z.array(z.unknown()) });

/** Asks the server whether it knows the token, and keeps it. */
export async function logIn(url: string, tokenFile: string, { env, configured }: LoginOptions) {
  const server = serverAddress(url);
  const token = (await readFile(tokenFile, "utf8").catch(unreadable)).trim();
  if (parseToken(token) === undefined) throw wrong("The file has no access token of the form ctx_ID_SECRET.");
  const projects = await countProjects(server, token);
  await storeToken(server, token, env);
  const isConfigured =
    configured !== undefined && /^https?:/.test(configured) && serverAddress(configured) === server;
  return { url: server, projects, is_configured: isConfigured };
}

async function countProjects(server: string, token: string): Promise<number> {
  using limit = deadline(TIMEOUT_MS);
  const response = await fetch(`${server}/tools/list_projects`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
    redirect: "error",
    signal: limit.signal,
  }).catch((cause: unknown) => {
    throw new DomainError(
      "unavailable",
      "The team's server does not answer. Check its address, and that it runs.",
      {
        reason: "team_unavailable",
        cause,
      },
    );
  });
  const listed = Listed.safeParse(await response.json().catch(() => undefined));
  if (response.status === 401) throw wrong("The team's server does not know this access token.");
  if (listed.success) return listed.data.projects.length;
  throw new DomainError(
    "unavailable",
    "What answers at this address is not a team's server. Check the address: contextful serve --database runs there.",
    {
      reason: "team_unavailable",
    },
  );
}

const unreadable = (cause: unknown): never => {
  throw new DomainError("invalid_input", "The file with the token cannot be read.", {
    details: { param: "token_file" },
    cause,
  });
};
const wrong = (message: string) => new DomainError("invalid_input", message, { reason: "team_token" });
