import { spawn } from "node:child_process";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { makeTeam } from "../support/git-team.ts";

const ADVERTISEMENT = "application/x-git-upload-pack-advertisement";
const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, "0")}${text}`;
const HEAD = `${line("# service=git-upload-pack\n")}0000`;
const ZEROS = "0".repeat(39);

/** Sends the same text without end, as fast as the other side reads. */
const endless =
  (type: string, head: string, text: string): RequestListener =>
  (_, response) => {
    response.writeHead(200, { "Content-Type": type });
    response.write(head);
    const more = () => {
      while (!response.destroyed && response.write(text));
    };
    response.on("drain", more);
    more();
  };

const REMOTES: { name: string; answer: RequestListener }[] = [
  { name: "garbage", answer: (_, response) => void response.end("\0\x01\xff".repeat(5_000)) },
  {
    name: "garbage of the right type",
    answer: (_, response) => {
      response.writeHead(200, { "Content-Type": ADVERTISEMENT });
      response.end(`${HEAD}zzzz${"\xff".repeat(5_000)}`);
    },
  },
  {
    name: "references without end",
    answer: endless(ADVERTISEMENT, HEAD, line(`${ZEROS}1 refs/heads/${"x".repeat(900)}\n`)),
  },
  { name: "text without end", answer: endless("text/plain", "", "x".repeat(65_536)) },
  {
    name: "a redirect to a file",
    answer: (_, response) => void response.writeHead(302, { Location: "file:///etc/passwd" }).end(),
  },
  {
    name: "a redirect to a command",
    answer: (_, response) => void response.writeHead(301, { Location: "ext::sh -c touch% canary" }).end(),
  },
  {
    name: "redirects without end",
    answer: (request, response) => void response.writeHead(302, { Location: `/again${request.url}` }).end(),
  },
  {
    name: "a question for a password",
    answer: (_, response) => void response.writeHead(401, { "WWW-Authenticate": 'Basic realm="team"' }).end(),
  },
  {
    name: "odd references",
    answer: (_, response) => {
      response.writeHead(200, { "Content-Type": ADVERTISEMENT });
      const names = [
        "refs/heads/--upload-pack=x",
        "refs/heads/../../config",
        "refs/heads/main\0multi_ack",
        "HEAD",
        "refs/heads/a b",
        "refs/heads/\x1b[2J",
      ];
      response.end(`${HEAD}${names.map((name) => line(`${ZEROS}1 ${name}\n`)).join("")}0000`);
    },
  },
  {
    name: "a byte each second",
    answer: (_, response) => {
      response.writeHead(200, { "Content-Type": ADVERTISEMENT });
      const timer = setInterval(() => response.write("0"), 1_000);
      response.on("close", () => clearInterval(timer));
    },
  },
  { name: "silence", answer: () => {} },
];

// Most of them wait for a time limit of git, so they wait together.
test.concurrent.each(REMOTES)(
  "a remote that answers with $name ends pull and push with a reason, and reads go on",
  async ({ answer }) => {
    using team = makeTeam(1);
    const [clone] = team.clones;
    if (!clone) throw new Error("one clone");
    const server = createServer(answer).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    try {
      const { port } = server.address() as AddressInfo; // A TCP server's address is never a string.
      clone.git("config", "remote.origin.url", `http://127.0.0.1:${port}/team.git`);
      const binary = await builtBinary();
      const run = (...args: string[]) =>
        new Promise<{ code: number | null; text: string }>((resolve) => {
          const env = {
            PATH: process.env["PATH"],
            HOME: team.home,
            CONTEXTFUL_HOME: join(team.home, "data"),
          };
          const child = spawn(process.execPath, [binary, ...args], { cwd: clone.path, env });
          let text = "";
          for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
          child.on("close", (code) => resolve({ code, text }));
        });
      expect(await run("memory", "knowledge", "add", "kept", "words")).toMatchObject({ code: 0 });
      const answers = await Promise.all([run("memory", "pull"), run("memory", "knowledge", "get", "kept")]);
      const push = await run("memory", "push");
      expect(answers[1].text).toBe("words\n");
      for (const { code, text } of [answers[0], push]) {
        expect([code, text]).toEqual([
          expect.any(Number),
          expect.not.stringMatching(/ended by a bug|Something went wrong|\p{Cc}(?<!\n)/u),
        ]);
        expect(text).not.toBe("");
      }
      expect([clone.read("canary"), clone.read(".context-teleport/knowledge/kept.md")]).toEqual([
        undefined,
        expect.stringContaining("words"),
      ]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
);
