import { stem } from "./stem.ts";

/** Words that software teams use for the same thing. Each line is one idea; a word may stand in several. */
const IDEAS = `
database db postgres postgresql mysql mariadb sqlite mongodb
`;

const byForm = new Map<string, Set<string>>();
for (const idea of IDEAS.trim().split("\n")) {
  const forms = new Set(idea.split(" ").flatMap((word) => [word, stem(word)]));
  for (const form of forms) {
    const others = byForm.get(form) ?? new Set();
    for (const other of forms) if (other !== form) others.add(other);
    byForm.set(form, others);
  }
}

/** Takes a word in lower case or its stem. */
export const synonymsOf = (form: string): readonly string[] => [...(byForm.get(form) ?? [])];
