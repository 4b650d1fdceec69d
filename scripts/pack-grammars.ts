import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { z } from "zod";
import { LANGUAGES } from "../src/core/parse/languages.ts";

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  repository: z.unknown(),
});

/** Puts the grammars that languages name into the build, compressed, with the licence and origin of each. */
export function packGrammars(directory: string): void {
  const { resolve } = createRequire(import.meta.url);
  const target = join(directory, "grammars");
  mkdirSync(target, { recursive: true });
  const files = LANGUAGES.flatMap((language) => ("grammar" in language ? [language.grammar] : []));
  for (const file of new Set(files)) {
    const packed = brotliCompressSync(readFileSync(resolve(file)), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
    });
    writeFileSync(join(target, `${basename(file)}.br`), packed);
  }
  writeFileSync(join(target, "NOTICE.txt"), notice([...new Set(files)].sort(), resolve));
}

function notice(files: readonly string[], resolve: (file: string) => string): string {
  const packages = [...new Set(files.map((file) => packageOf(file)))];
  const parts = packages.map((name) => {
    const own = files.filter((file) => packageOf(file) === name);
    const folder = resolve(own[0] ?? "").slice(0, -(own[0] ?? "").length + name.length);
    const { version, license, repository } = Manifest.parse(
      JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
    );
    const text = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    return [
      `${name} ${version} (${license}) ${repositoryOf(repository)}`,
      ...own.map((file) => `  ${basename(file)}`),
      "",
      ...(text === undefined ? [] : [readFileSync(join(folder, text), "utf8").trim()]),
      "",
    ].join("\n");
  });
  return `Grammars for tree-sitter, compiled to WebAssembly, from these packages:\n\n${parts.join("\n")}`;
}

const packageOf = (file: string) =>
  file
    .split("/")
    .slice(0, file.startsWith("@") ? 2 : 1)
    .join("/");

const repositoryOf = (repository: unknown): string =>
  typeof repository === "string"
    ? repository
    : (z.object({ url: z.string() }).safeParse(repository).data?.url ?? "");
