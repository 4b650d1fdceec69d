import { existsSync, readFileSync } from "node:fs";
import { isRecord } from "../../core/json.ts";
import { instructionsOf, WHOLE_GUIDE } from "./instructions.ts";
import type { WireMessage } from "./message.ts";
import { type Serving, servingFor, type ToolNames } from "./profiles.ts";
import type { ListedTool } from "./tool-list.ts";

/**
 * What every client asks before its first call, `initialize` and `tools/list`, answered without the protocol's SDK and
 * without opening a room. The SDK made these answers when we were built. Only the plain forms of both requests are
 * answered here, byte for byte as the SDK does; it gets everything else.
 */
export interface OpeningAnswers {
  /** The answer to a request, `seen` if a notification needs none, `undefined` if the protocol layer must decide. */
  answer(message: WireMessage): Promise<OpeningAnswer | "seen" | undefined>;
}

interface OpeningAnswer {
  readonly id: string | number;
  readonly result: Readonly<Record<string, unknown>>;
}

interface OpeningOptions {
  readonly version: string;
  readonly profile: string;
  readonly names: ToolNames | "auto";
  /** What the rooms say about their state, without opening them. Without it, `initialize` is not answered here. */
  readonly instructions: (() => Promise<string | undefined>) | undefined;
}

/** They answer nothing if we run from source: the build keeps them. */
export function openingAnswers(options: OpeningOptions): OpeningAnswers {
  let clientName: string | undefined;
  let isInitialized = false;
  const initialize = async (params: unknown) => {
    const client = isInitialized ? undefined : plainInitialize(params);
    const kept = client && options.instructions && readKept<KeptOpening>("initialize");
    if (!client || !options.instructions || !kept?.versions.includes(client.protocolVersion))
      return undefined;
    const instructions = instructionsOf(WHOLE_GUIDE, await options.instructions());
    isInitialized = true;
    clientName = client.name;
    const serverInfo = { name: "contextful", title: "Contextful", version: options.version };
    return {
      protocolVersion: client.protocolVersion,
      capabilities: kept.capabilities,
      serverInfo,
      ...(instructions && { instructions }),
    };
  };
  const list = (method: string, params: unknown) =>
    method === "tools/list" && isPlainList(params) ? keptList(servingFor(options, clientName)) : undefined;
  return {
    async answer(message) {
      if (!("method" in message)) return undefined;
      if (!("id" in message)) return message.method === "notifications/initialized" ? "seen" : undefined;
      const { id, method, params } = message;
      const result = method === "initialize" ? await initialize(params) : list(method, params);
      return result && { id, result };
    },
  };
}

/** What `initialize` needs beside the instructions. */
interface KeptOpening {
  readonly versions: readonly string[];
  readonly capabilities: Readonly<Record<string, unknown>>;
}

/** The folder that the build writes beside this file. */
const OPENING = new URL("./opening/", import.meta.url);

function readKept<Kept>(name: string): Kept | undefined {
  const file = new URL(`${name}.json`, OPENING);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** The result of `tools/list`; `undefined` if this profile is not kept. The lean list is the same in both forms of names. */
export function keptList({ profile, names }: Serving): { readonly tools: ListedTool[] } | undefined {
  if (profile !== "lean" && profile !== "all") return undefined;
  return readKept(profile === "lean" ? profile : `${profile}-${names}`);
}

/** The client's name and version of an `initialize` that the SDK certainly accepts; `undefined` leaves the decision to it. */
function plainInitialize(
  params: unknown,
): { readonly protocolVersion: string; readonly name: string } | undefined {
  if (!isRecord(params) || !hasOnly(params, ["protocolVersion", "capabilities", "clientInfo"]))
    return undefined;
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== "string" || !areFewCapabilities(capabilities)) return undefined;
  const isPlainClient =
    isRecord(clientInfo) &&
    hasOnly(clientInfo, ["name", "version", "title", "description", "websiteUrl"]) &&
    Object.values(clientInfo).every((value) => typeof value === "string");
  if (!isPlainClient || typeof clientInfo["version"] !== "string") return undefined;
  const { name } = clientInfo;
  return typeof name === "string" ? { protocolVersion, name } : undefined;
}

/** Capabilities that change nothing in this server: it asks its clients for nothing. */
function areFewCapabilities(capabilities: unknown): boolean {
  if (!isRecord(capabilities) || !hasOnly(capabilities, ["roots", "sampling", "elicitation"])) return false;
  return Object.entries(capabilities).every(
    ([key, value]) =>
      isRecord(value) &&
      Object.entries(value).every(([name, setting]) =>
        key === "roots"
          ? name === "listChanged" && typeof setting === "boolean"
          : isRecord(setting) && hasOnly(setting, []),
      ),
  );
}

/** No cursor, and nothing of the stateless era, whose requests say in `_meta` who sends them. */
function isPlainList(params: unknown): boolean {
  if (params === undefined) return true;
  if (!isRecord(params) || !hasOnly(params, ["_meta"])) return false;
  const { _meta: meta = {} } = params;
  if (!isRecord(meta) || !hasOnly(meta, ["progressToken"])) return false;
  const { progressToken = "" } = meta;
  return typeof progressToken === "string" || Number.isSafeInteger(progressToken);
}

const hasOnly = (record: Readonly<Record<string, unknown>>, keys: readonly string[]): boolean =>
  Object.keys(record).every((key) => keys.includes(key));
