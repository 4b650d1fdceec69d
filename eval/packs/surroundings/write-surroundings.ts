import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { carrierFiles } from "./carriers.ts";
import { DOMAINS, type Domain } from "./domains.ts";
import { handlers, pageOf, rules, store, syncJob, tests } from "./modules.ts";
import { decisionOf, guideOf, runbookOf } from "./papers.ts";

/**
 * Writes the rest of the project into a copy of the fixture: about 9,000 lines in 220 files. The tasks that weights were
 * chosen on are not about it; half of the held-out ones are.
 */
export function writeSurroundings(root: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(carrierFiles())) write(path, text);
  for (const [index, domain] of DOMAINS.entries()) {
    for (const [path, text] of Object.entries(filesOf(domain, index))) write(path, text);
  }
}

function filesOf(domain: Domain, index: number): Readonly<Record<string, string>> {
  const { name } = domain;
  const code = `internal/${name}`;
  const memory = ".context-teleport";
  const number = String(index + 7).padStart(4, "0");
  return {
    [`${code}/${name}.go`]: rules(domain),
    [`${code}/store.go`]: store(domain),
    [`${code}/handlers.go`]: handlers(domain),
    [`${code}/sync.go`]: syncJob(domain),
    [`${code}/${name}_test.go`]: tests(domain),
    [`web/src/office/${name}.tsx`]: pageOf(domain),
    [`docs/${name}.md`]: guideOf(domain),
    [`docs/runbooks/${name}.md`]: runbookOf(domain),
    [`${code}/.context.yaml`]: [
      "version: 1",
      `scope: ${code}`,
      "summary: >-",
      `  The part that ${domain.what}, with its tables, its handlers and the sync with ${domain.partner}.`,
      'last_updated: "2026-01-02T03:04:05Z"',
      'fingerprint: "00000000"',
      "maintenance: Keep it to what the directory is for.",
      "",
    ].join("\n"),
    [`${memory}/knowledge/${name}-facts.md`]: `${domain.known}\n`,
    [`${memory}/knowledge/decisions/${number}-${name}.md`]: decisionOf(domain, number),
  };
}
