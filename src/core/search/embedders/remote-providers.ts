import { z } from "zod";
import type { Config } from "../../config/config.ts";

const OpenAi = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()) })),
});
const Ollama = z.object({ embeddings: z.array(z.array(z.number())) });

export type RemoteSettings = Omit<Config["embedding"], "provider"> & {
  readonly provider: "openai" | "ollama";
};
export type Env = Readonly<Record<string, string | undefined>>;

/** Where one kind of server is asked, and how its answer is read. */
export interface Provider {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string;
  read(body: unknown): readonly (readonly number[])[];
}

export const PROVIDERS = {
  openai: (
    { url = "https://api.openai.com", model = "text-embedding-3-small", api_key_env }: RemoteSettings,
    env: Env,
  ): Provider => {
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
  ollama: ({ url = "http://localhost:11434", model = "nomic-embed-text" }: RemoteSettings): Provider => ({
    url: `${url.replace(/\/+$/, "")}/api/embed`,
    headers: {},
    model,
    read: (body) => Ollama.parse(body).embeddings,
  }),
} as const;
