import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Config } from "../../config/config.ts";
import { deadline } from "../../deadline.ts";
import { DomainError } from "../../errors.ts";
import { sha256 } from "../../hash.ts";
import { redactSecrets } from "../../hygiene/index.ts";
import type { Embedder } from "./embedder.ts";

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 32_000;
const MAX_TEXT = 8000;

/** A search has other models: it does not wait longer than this for a server. */
const BRIEF_MS = 5_000;

interface RemoteEmbedderOptions {
  readonly env: ProviderEnv;
  /** Somebody waits: the server is tried once, and briefly. */
  readonly isBrief?: boolean;
  /** The first wait before another try; doubles each time. */
  readonly firstWaitMs?: number;
}

/** An OpenAI-compatible or Ollama server. One small question at the start shows whether it is there and how long its vectors are. */
export async function openRemote(
  id: string,
  settings: RemoteSettings,
  { env, isBrief = false, firstWaitMs = FIRST_WAIT_MS }: RemoteEmbedderOptions,
): Promise<Embedder> {
  const provider = PROVIDERS[settings.provider](settings, env);
  const patient = { ms: settings.timeout_secs * 1000, most: settings.max_retries };
  const brief = { ms: Math.min(patient.ms, BRIEF_MS), most: 0 };
  const ask = (texts: readonly string[], { ms, most }: typeof patient, signal?: AbortSignal) =>
    withRetries(() => post(provider, texts, { ms, signal }), { most, firstWaitMs }, signal);
  const [probe] = await ask(["ready"], isBrief ? brief : patient);
  const dims = probe?.length ?? 0;
  if (dims === 0 || (settings.dims !== undefined && settings.dims !== dims)) {
    throw refusal(
      `${id} gives vectors of ${dims} components; embedding.dims says ${settings.dims ?? "nothing"}.`,
    );
  }
  const checked = (vectors: Float32Array[]) => {
    if (vectors.every((vector) => vector.length === dims)) return vectors;
    throw refusal(`${id} changed the length of its vectors.`);
  };
  return {
    identity: { id, sha256: sha256(`${provider.url}\0${settings.model ?? ""}\0${dims}`), dims },
    batchSize: settings.batch_size,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += settings.batch_size) {
        vectors.push(...(await ask(texts.slice(at, at + settings.batch_size), patient, signal)));
      }
      return checked(vectors);
    },
    embedAtOnce: async (text, signal) => checked(await ask([text], brief, signal))[0],
    close: async () => {},
  };
}

/** Worth another try: the server is busy or broken, or was not reached. */
class Passing extends Error {
  override readonly name = "Passing";
  readonly waitMs: number | undefined;
  constructor(message: string, waitMs?: number) {
    super(message);
    this.waitMs = waitMs;
  }
}

async function post(
  { url, headers, model, read }: RemoteProvider,
  texts: readonly string[],
  { ms, signal }: { readonly ms: number; readonly signal: AbortSignal | undefined },
): Promise<Float32Array[]> {
  using limit = deadline(ms, signal);
  const request = {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    // What leaves the machine leaves without keys and passwords.
    body: JSON.stringify({ model, input: texts.map((text) => redactSecrets(text.slice(0, MAX_TEXT)).text) }),
    signal: limit.signal,
  };
  const host = new URL(url).host;
  const broken = () => {
    signal?.throwIfAborted();
    throw new Passing(limit.isOver ? `${host} did not answer in time` : `${host} could not be reached`);
  };
  const response = await fetch(url, request).catch(broken);
  const body = await response.text().catch(broken);
  if (response.status === 429 || response.status >= 500) {
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    throw new Passing(
      `${host} answered ${response.status}`,
      Number.isFinite(seconds) ? seconds * 1000 : undefined,
    );
  }
  if (!response.ok)
    throw refusal(`${host} refused to embed: ${response.status}. Check [embedding] in your configuration.`);
  const vectors = readSafely(() => read(JSON.parse(body)));
  if (vectors?.length !== texts.length)
    throw refusal(`${host} did not answer with one vector for each text.`);
  return vectors.map((vector) => Float32Array.from(vector));
}

function readSafely<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

async function withRetries<T>(
  attempt: () => Promise<T>,
  { most, firstWaitMs }: { readonly most: number; readonly firstWaitMs: number },
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (thrown) {
      if (!(thrown instanceof Passing)) throw thrown;
      if (tries >= most) throw refusal(`${thrown.message} (${tries + 1} tries).`);
      const wait = Math.min(thrown.waitMs ?? firstWaitMs * 2 ** tries, LONGEST_WAIT_MS);
      await pause(wait, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
    }
  }
}

const refusal = (message: string): DomainError => new DomainError("unavailable", `Embeddings: ${message}`);

const OpenAi = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()) })),
});
const Ollama = z.object({ embeddings: z.array(z.array(z.number())) });

type RemoteSettings = Omit<Config["embedding"], "provider"> & {
  readonly provider: "openai" | "ollama";
};
type ProviderEnv = Readonly<Record<string, string | undefined>>;

/** Where one kind of server is asked, and how its answer is read. */
interface RemoteProvider {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string;
  read(body: unknown): readonly (readonly number[])[];
}

const PROVIDERS = {
  openai: (
    { url = "https://api.openai.com", model = "text-embedding-3-small", api_key_env }: RemoteSettings,
    env: ProviderEnv,
  ): RemoteProvider => {
    const key = env[api_key_env];
    // A local server needs no key; the public one says itself that it does.
    return {
      url: `${url.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1/embeddings`,
      headers: key ? { authorization: `Bearer ${key}` } : {},
      model,
      read: (body) =>
        OpenAi.parse(body)
          .data.map((item, place) => ({ place: item.index ?? place, embedding: item.embedding }))
          .sort((a, b) => a.place - b.place)
          .map((item) => item.embedding),
    };
  },
  ollama: ({
    url = "http://localhost:11434",
    model = "nomic-embed-text",
  }: RemoteSettings): RemoteProvider => ({
    url: `${url.replace(/\/+$/, "")}/api/embed`,
    headers: {},
    model,
    read: (body) => Ollama.parse(body).embeddings,
  }),
} as const;
