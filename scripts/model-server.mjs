// A model for the checks of clients: it wants one tool of ours, then says what the tool said. It speaks the little that is
// needed of the Messages API of Anthropic and of the API of Gemini.
import { createServer } from "node:http";

/** A tool that is not in the lean list, as `more_tools` calls it. */
export const CALLED = { tool: "list_contexts", arguments: {} };

export async function startModel() {
  const seen = new Set();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => answer(request.url, response, body, seen));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    /** The names of our tools that the client has shown. */
    tools: () => [...seen],
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(url, response, body, seen) {
  if (url.includes(":streamGenerateContent") || url.includes(":generateContent"))
    return answerGemini(url, response, JSON.parse(body), seen);
  if (url.startsWith("/v1/messages") && !url.includes("count_tokens"))
    return answerMessages(response, JSON.parse(body), seen);
  sendJson(response, { input_tokens: 1, totalTokens: 1 });
}

const sendJson = (response, value) =>
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));

/** Remembers our tools, and gives the name of the one to call. */
function note(names, seen) {
  const ours = names.filter((name) => /contextful/.test(name));
  for (const name of ours) seen.add(name);
  return ours.find((name) => name.endsWith("more_tools"));
}

function answerMessages(response, { messages = [], tools = [], stream }, seen) {
  const wanted = note(
    tools.map(({ name }) => name),
    seen,
  );
  const results = messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter((part) => part.type === "tool_result");
  const content =
    wanted && results.length === 0
      ? { type: "tool_use", id: "toolu_1", name: wanted, input: CALLED }
      : { type: "text", text: JSON.stringify(results.map((part) => part.content)) };
  const stop = content.type === "tool_use" ? "tool_use" : "end_turn";
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "mock",
    content: [content],
    stop_reason: stop,
    stop_sequence: null,
    usage,
  };
  if (!stream) return sendJson(response, message);
  const start = content.type === "tool_use" ? { ...content, input: {} } : { type: "text", text: "" };
  const delta =
    content.type === "tool_use"
      ? { type: "input_json_delta", partial_json: JSON.stringify(CALLED) }
      : { type: "text_delta", text: content.text };
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: start },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}

function answerGemini(url, response, { contents = [], tools = [], generationConfig = {} }, seen) {
  const declared = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
  const wanted = note(
    declared.map(({ name }) => name),
    seen,
  );
  const results = contents
    .flatMap(({ parts = [] }) => parts)
    .flatMap(({ functionResponse }) => (functionResponse ? [functionResponse.response] : []));
  // Some requests are not the conversation: the client asks which model to take, and wants JSON.
  const isJson = generationConfig.responseMimeType === "application/json";
  const text = isJson
    ? '{"reasoning":"","model_choice":"pro","next_speaker":"user"}'
    : JSON.stringify(results);
  const part = wanted && results.length === 0 ? { functionCall: { name: wanted, args: CALLED } } : { text };
  const candidate = { content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 };
  const counts = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const chunk = { candidates: [candidate], usageMetadata: counts, modelVersion: "mock" };
  if (!url.includes(":streamGenerateContent")) return sendJson(response, chunk);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`data: ${JSON.stringify(chunk)}\n\n`);
}
