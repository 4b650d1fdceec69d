import { type ChildProcess, spawn } from "node:child_process";
import { AwsClient } from "aws4fetch";
import { tempDir } from "./temp-dir.ts";

export const S3_KEYS = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };

/** A process that serves S3 and checks signatures. */
export async function startS3(bucket: string) {
  const directory = tempDir();
  const start = "require('@20minutes/s3rver/lib/cli').parseAsync(process.argv)";
  // Its continuation tokens need a legacy cipher of OpenSSL.
  const args = [
    "--openssl-legacy-provider",
    "-e",
    start,
    "s3rver",
    "-d",
    directory.path,
    "-a",
    "127.0.0.1",
    "-p",
    "0",
    "-s",
    "--no-vhost-buckets",
  ];
  const child = spawn(process.execPath, [...args, "--configure-bucket", bucket], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const endpoint = `http://127.0.0.1:${await portOf(child)}`;
  const client = new AwsClient({ accessKeyId: "S3RVER", secretAccessKey: "S3RVER", service: "s3" });
  const send = async (method: string, key: string, body?: string | Uint8Array) => {
    const path = key.split("/").map(encodeURIComponent).join("/");
    const response = await client.fetch(`${endpoint}/${bucket}/${path}`, {
      method,
      ...(body !== undefined && { body }),
    });
    if (!response.ok) throw new Error(`${method} ${key}: ${response.status} ${await response.text()}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  const stop = () =>
    new Promise<void>((settle) => {
      if (child.exitCode !== null || child.signalCode !== null) return settle();
      child.once("exit", () => settle());
      child.kill("SIGKILL");
    });
  return {
    endpoint,
    get: (key: string) => send("GET", key),
    put: async (key: string, content: string | Uint8Array) => void (await send("PUT", key, content)),
    remove: async (key: string) => void (await send("DELETE", key)),
    stop,
    async end() {
      await stop();
      directory[Symbol.dispose]();
    },
  };
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((settle, reject) => {
    let said = "";
    child.stdout?.on("data", (chunk) => {
      said += chunk;
      const port = /listening on \S+:(\d+)/.exec(said)?.[1];
      if (port) settle(Number(port));
    });
    child.once("exit", () => reject(new Error(`the S3 server ended: ${said}`)));
  });
}
