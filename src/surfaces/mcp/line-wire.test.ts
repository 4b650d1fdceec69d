import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { LineWire } from "./line-wire.ts";

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

async function feed(chunks: readonly (string | Uint8Array)[], longestLine?: number) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const wire = new LineWire({
    input,
    output,
    lastAnswersMs: 0,
    ...(longestLine === undefined ? {} : { longestLine }),
  });
  const heard: unknown[] = [];
  const closed = new Promise<void>((resolve) => {
    wire.onclose = resolve;
  });
  wire.onmessage = (message) => heard.push(message);
  await wire.start();
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await closed;
  const said = String(output.read() ?? "");
  return {
    heard,
    refused: said
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line).error.code),
  };
}

test.each([
  { line: "garbage", refused: [-32700] },
  { line: '{"jsonrpc":"2.0","id":1', refused: [-32700] },
  { line: new Uint8Array([0x22, 0xc3, 0x28, 0x22]), refused: [-32700] },
  { line: '{"jsonrpc":"2.0","id":1,"method":"pi\0ng"}', refused: [-32700] },
  { line: `[${PING}]`, refused: [-32600] },
  { line: "42", refused: [-32600] },
  { line: '{"id":1,"method":"ping"}', refused: [-32600] },
  { line: '{"jsonrpc":"2.0","id":null,"method":"ping"}', refused: [-32600] },
  { line: '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', refused: [-32600] },
  { line: '{"jsonrpc":"2.0","id":{},"method":"ping"}', refused: [-32600] },
  { line: '{"jsonrpc":"2.0","id":1,"method":7}', refused: [-32600] },
  { line: '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', refused: [-32600] },
  { line: '{"jsonrpc":"2.0","id":1}', refused: [-32600] },
  { line: "", refused: [] },
  { line: "  \r", refused: [] },
])("a bad line gets its error and the next one is served: $line", async ({ line, refused }) => {
  expect(await feed([line, "\n", PING, "\n"])).toEqual({ heard: [JSON.parse(PING)], refused });
});

test("a line over the limit is refused without being kept, and the next one is served", async () => {
  const result = await feed([..."xxxxxxxxxx".split(""), "\n", `${PING}\n`], 45);
  const long = await feed([...Array.from({ length: 100 }, () => "x".repeat(10)), "\n", `${PING}\n`], 45);
  expect([result.refused, long]).toEqual([[-32700], { heard: [JSON.parse(PING)], refused: [-32700] }]);
});

test("half a line before the end of input is not a message", async () => {
  expect(await feed([PING])).toEqual({ heard: [], refused: [] });
});

test("a message may arrive in pieces, with others in one chunk, with carriage returns, or split inside a character", async () => {
  const snowman = Buffer.from('{"jsonrpc":"2.0","id":2,"method":"note","params":{"text":"☃"}}\n');
  const cut = snowman.indexOf(0xe2) + 1;
  const { heard } = await feed([
    PING.slice(0, 9),
    `${PING.slice(9)}\r\n${PING}\n`,
    snowman.subarray(0, cut),
    snowman.subarray(cut),
  ]);
  expect(heard).toEqual([
    JSON.parse(PING),
    JSON.parse(PING),
    { jsonrpc: "2.0", id: 2, method: "note", params: { text: "☃" } },
  ]);
});

test("only notifications that change something reach the protocol layer", async () => {
  const told = (method: string, params?: object) =>
    `${JSON.stringify({ jsonrpc: "2.0", method, ...(params && { params }) })}\n`;
  const { heard, refused } = await feed([
    told("notifications/unknown"),
    told("notifications/progress", { progressToken: 1, progress: 1 }),
    told("notifications/initialized"),
    `${PING}\n`,
    told("notifications/cancelled", { requestId: 1 }),
    told("notifications/cancelled", { requestId: 99 }),
  ]);
  expect({ heard: heard.map((message) => JSON.stringify(message)), refused }).toEqual({
    heard: [
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      PING,
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    ],
    refused: [],
  });
});

test("requests are not read while the client does not read its answers", async () => {
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: 1 });
  const wire = new LineWire({ input, output });
  await wire.start();
  await wire.send({ jsonrpc: "2.0", id: 1, result: { text: "long" } });
  const whileFull = input.isPaused();
  const drained = new Promise((resolve) => output.once("drain", resolve));
  output.resume();
  await drained;
  expect([whileFull, input.isPaused()]).toEqual([true, false]);
});

test("requests sent before the input ended are still answered, then the wire closes", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const wire = new LineWire({ input, output });
  const closed = new Promise<void>((resolve) => {
    wire.onclose = resolve;
  });
  wire.onmessage = (message) => {
    if (!("id" in message) || message.id === null) return;
    const { id } = message;
    setImmediate(() => void wire.send({ jsonrpc: "2.0", id, result: {} }));
  };
  await wire.start();
  input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await closed;
  expect(output.read()?.toString()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n');
});

test("a cancelled request is not waited for after the input ended", async () => {
  const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
  const [input, output] = [new PassThrough(), new PassThrough()];
  const wire = new LineWire({ input, output, lastAnswersMs: 2 ** 31 - 1 });
  const closed = new Promise<void>((resolve) => {
    wire.onclose = resolve;
  });
  await wire.start();
  input.end(`${PING}\n${cancel}\n`);
  await closed;
  expect(output.read()).toBeNull();
});

test("progress of a call does not keep the wire open for ever after the input ended", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const wire = new LineWire({ input, output, lastAnswersMs: 50 });
  let sends: NodeJS.Timeout | undefined;
  const closed = new Promise<void>((resolve) => {
    wire.onclose = resolve;
  });
  wire.onmessage = () => {
    sends = setInterval(() => void wire.send({ jsonrpc: "2.0", method: "notifications/progress" }), 1);
  };
  await wire.start();
  input.end(`${PING}\n`);
  await closed;
  clearInterval(sends);
  expect(String(output.read())).toContain("notifications/progress");
});
