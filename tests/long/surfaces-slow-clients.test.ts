import { connect } from "node:net";
import { expect, test } from "vitest";
import { httpApp, listen } from "../../src/surfaces/http/index.ts";
import { echoTool, scratchApp } from "../support/scratch-app.ts";

const started = () => {
  const app = scratchApp([echoTool()]);
  const mcp = async () => new Response("none", { status: 404 });
  return listen(httpApp(app, { version: "0", host: "127.0.0.1", mcp }), { host: "127.0.0.1", port: 0 });
};

test("76: a client that dribbles its headers is let go, and others are served meanwhile", async () => {
  const listening = await started();
  const slow = connect(listening.port, "127.0.0.1");
  let said = "";
  slow.on("data", (chunk) => {
    said += chunk;
  });
  slow.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n");
  const drip = setInterval(() => slow.write("X-Drip: x\r\n"), 500);
  const closed = new Promise<void>((resolve) => slow.once("close", () => resolve()));
  slow.on("error", () => {});
  const other = await fetch(`http://127.0.0.1:${listening.port}/healthz`);
  await other.text();
  await closed;
  clearInterval(drip);
  await listening.close();
  expect([other.status, said.split("\r\n")[0]]).toEqual([200, "HTTP/1.1 408 Request Timeout"]);
});

test("76: a thousand connections that say nothing leave the server answering", async () => {
  const listening = await started();
  const idle = Array.from({ length: 1000 }, () => {
    const socket = connect(listening.port, "127.0.0.1");
    socket.on("error", () => {});
    return socket;
  });
  await Promise.all(
    idle.map((socket) => new Promise((resolve) => socket.once("close", resolve).once("connect", resolve))),
  );
  for (const socket of idle) socket.destroy();
  const health = await fetch(`http://127.0.0.1:${listening.port}/healthz`);
  await health.text();
  await listening.close();
  expect(health.status).toBe(200);
});
