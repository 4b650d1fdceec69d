import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { z } from "zod";

const Request = z.object({ model: z.string(), input: z.array(z.string()) });
const FAKE_DIMS = 20;

export interface FakeProvider {
  readonly url: string;
  readonly requests: {
    readonly path: string;
    readonly key: string | undefined;
    readonly texts: readonly string[];
  }[];
  /** Answered instead of vectors, one for each request, until used up. */
  readonly failures: ((response: ServerResponse) => void)[];
  close(): Promise<void>;
}

/** An embedding server for tests, over real HTTP: a vector counts the letters of a text. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const requests: FakeProvider["requests"] = [];
  const failures: FakeProvider["failures"] = [];
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { input } = Request.parse(JSON.parse(await textOf(request)));
    requests.push({ path: request.url ?? "", key: request.headers.authorization, texts: input });
    const failure = failures.shift();
    if (failure) return failure(response);
    const embeddings = input.map(lettersOf);
    const body = request.url?.startsWith("/api/embed")
      ? { embeddings }
      : { data: embeddings.map((embedding, index) => ({ index, embedding })).reverse() };
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  };
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    failures,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

function lettersOf(text: string): number[] {
  const counts = new Array<number>(FAKE_DIMS).fill(0.01);
  for (const letter of text.toLowerCase()) {
    const place = letter.charCodeAt(0) % FAKE_DIMS;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}
