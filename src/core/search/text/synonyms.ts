import { stem } from "./stem.ts";

/** Words that people use for one thing. Only pairs that hold in most projects: a wrong one finds the wrong page. */
const GROUPS = `
  undo revert rollback
  delete remove
  error exception failure
  config configuration settings
  auth authentication login
  database db
  directory folder
  repository repo
  documentation docs
  environment env
  dependency package
  secret credential
  release deploy deployment
  outage incident
  setup install installation
`;
/** The first word also asks for the others, which do not ask for each other. */
const KINDS = `
  database postgresql postgres mysql mariadb sqlite mongodb
  queue kafka rabbitmq sqs
  cache redis memcached
  language typescript javascript python rust golang java
  cloud aws azure gcp
  ci jenkins circleci
  bundler webpack rollup vite esbuild
`;

/** Other words for a word in lower case; empty if none is known. */
export const synonymsOf = (word: string): readonly string[] => SYNONYMS.get(stem(word)) ?? [];

const SYNONYMS = new Map<string, string[]>();
const add = (word: string, others: readonly string[]) =>
  SYNONYMS.set(stem(word), [...(SYNONYMS.get(stem(word)) ?? []), ...others]);
for (const group of wordsByLine(GROUPS)) {
  for (const word of group)
    add(
      word,
      group.filter((other) => other !== word),
    );
}
for (const [first = "", ...kinds] of wordsByLine(KINDS)) add(first, kinds);

function wordsByLine(text: string): string[][] {
  return text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(" "));
}
