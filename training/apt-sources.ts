import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** apt's own sources with their type changed, in a directory of ours: nothing of the machine's set-up changes. */
export function sourceOptions(directory: string): string[] {
  const parts = join(directory, "parts");
  mkdirSync(parts, { recursive: true });
  mkdirSync(join(directory, "lists", "partial"), { recursive: true });
  for (const name of readdirSync("/etc/apt/sources.list.d").filter((name) => name.endsWith(".sources"))) {
    const text = readFileSync(join("/etc/apt/sources.list.d", name), "utf8");
    writeFileSync(join(parts, name), text.replaceAll(/^Types: .*$/gm, "Types: deb-src"));
  }
  return ["sourcelist=/dev/null", `sourceparts=${parts}`]
    .flatMap((option) => ["-o", `Dir::Etc::${option}`])
    .concat("-o", `Dir::State::lists=${join(directory, "lists")}`);
}
