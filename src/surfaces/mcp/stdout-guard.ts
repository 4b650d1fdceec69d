import { Writable } from "node:stream";

/**
 * From here on the process's standard output carries the protocol and nothing else: whatever a dependency prints
 * goes to standard error. Returns the only way through.
 */
export function takeStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  const toStderr: typeof process.stdout.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    const done = rest.find((argument) => typeof argument === "function");
    process.stderr.write(chunk);
    if (typeof done === "function") done();
    return true;
  };
  process.stdout.write = toStderr;
  const through = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      write(chunk, () => done());
    },
  });
  process.stdout.on("error", (error) => through.destroy(error));
  return through;
}
