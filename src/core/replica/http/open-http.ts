import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { writeFileAtomic } from "../../files/atomic-write.ts";
import { configDirectory } from "../../home.ts";
import type { Replica } from "../replica.ts";
import { httpReplica } from "./http-replica.ts";

type TokenEnvironment = Readonly<Record<string, string | undefined>>;

const Tokens = z.record(z.string(), z.string());

/** Opens a team's store behind its server, with the token of `CONTEXTFUL_TEAM_TOKEN` or of `team login`. */
export async function openHttpReplica(url: string, env: TokenEnvironment): Promise<Replica> {
  const server = serverAddress(url);
  const token = env["CONTEXTFUL_TEAM_TOKEN"] || (await readTokens(env))[server];
  if (token === undefined) {
    throw new DomainError(
      "unavailable",
      `There is no access token for ${server}. Run contextful team login ${server} --token-file FILE.`,
      { reason: "team_token" },
    );
  }
  return httpReplica({ url: server, token });
}

/** Keeps the token of a server in the user's own configuration directory, in a file that nobody else can read. */
export async function storeToken(url: string, token: string, env: TokenEnvironment): Promise<void> {
  const file = tokenFile(env);
  const tokens = { ...(await readTokens(env)), [serverAddress(url)]: token };
  await writeFileAtomic(file, `${JSON.stringify(tokens, null, 2)}\n`, 0o600);
  // A file that was there keeps its mode.
  await chmod(file, 0o600);
}

/** The same for every way to write it, also with the path that agents use. Plain HTTP is for this machine alone: the token would be read on the way. */
export function serverAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(parsed?.hostname ?? "");
  const isSafe = parsed?.protocol === "https:" || (parsed?.protocol === "http:" && isHere);
  if (!parsed || !isSafe || parsed.username !== "" || parsed.password !== "") {
    throw new DomainError(
      "invalid_input",
      "The address of a team's server is https://HOST, without a password; http:// only on this machine.",
      { reason: "config", details: { param: "url" } },
    );
  }
  return `${parsed.origin}${parsed.pathname}`.replace(/(?:\/mcp)?\/*$/, "");
}

const tokenFile = (env: TokenEnvironment): string => join(configDirectory(env), "team-tokens.json");

async function readTokens(env: TokenEnvironment): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(tokenFile(env), "utf8").catch(() => "{}");
  try {
    return Tokens.parse(JSON.parse(text));
  } catch (cause) {
    const message =
      "team-tokens.json in your configuration directory is damaged. Remove it and log in again.";
    throw new DomainError("invalid_input", message, { reason: "config", cause });
  }
}
