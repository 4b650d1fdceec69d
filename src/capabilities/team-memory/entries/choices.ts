export interface NamedChoices {
  readonly chosen: ReadonlySet<string>;
  readonly rejected: ReadonlySet<string>;
  /** Those of the rejected that held until now. */
  readonly left: ReadonlySet<string>;
}

/** Choices of one kind: a team that decided for one has decided against the others. */
const ALTERNATIVES = [
  "postgresql mysql mariadb sqlite mongodb cockroachdb dynamodb cassandra couchdb firestore",
  "redis memcached valkey",
  "kafka rabbitmq bullmq sqs nats sidekiq celery resque",
  "express fastify koa hono nestjs",
  "django flask fastapi starlette",
  "react vue angular svelte",
  "tailwind bootstrap mui bulma",
  "jest vitest mocha jasmine",
  "playwright cypress selenium puppeteer",
  "pytest unittest",
  "npm pnpm yarn bun",
  "pip poetry uv conda pipenv",
  "maven gradle bazel sbt",
  "webpack vite rollup esbuild parcel",
  "eslint biome oxlint tslint",
  "rest graphql grpc trpc soap",
  "aws azure gcp hetzner digitalocean",
  "jenkins circleci travis buildkite",
  "github gitlab bitbucket gitea",
  "kubernetes nomad ecs swarm",
  "terraform pulumi cloudformation ansible",
  "prisma drizzle kysely typeorm sequelize knex",
  "stripe adyen paypal braintree",
  "postmark ses sendgrid mailgun",
  "datadog newrelic opentelemetry",
  "elasticsearch opensearch loki splunk",
  "moment luxon dayjs temporal",
  "monolith microservices",
].map((line) => new Set(line.split(" ")));
/** By each name of a choice: all of its kind. */
const KINDS = new Map(ALTERNATIVES.flatMap((names) => [...names].map((name) => [name, names] as const)));
/** Also plain English words: these count only with a capital letter. */
const PLAIN_WORDS = new Set([
  "express",
  "rest",
  "parcel",
  "temporal",
  "swarm",
  "soap",
  "hono",
  "yarn",
  "bun",
  "uv",
  "nats",
]);
const ENDS =
  "drop(?:s|ped|ping)?|remov(?:e[sd]?|ing)|replac(?:e[sd]?|ing)|retir(?:e[sd]?|ing)|leav(?:e[sd]?|ing)|left";
/** Words that turn a choice into its opposite, up to three words before it. */
const AGAINST = new RegExp(
  `\\b(?:no|not|never|avoid(?:s|ed|ing)?|without|instead of|rather than|over|from|against|${ENDS})\\b[^.;:!?\\n]{0,24}$`,
  "i",
);
/** Words that say that a choice held until now, at most one word before it. */
const NO_LONGER = new RegExp(
  `\\b(?:no longer|(?:mov|migrat|switch)\\w* from|${ENDS})\\s+(?:\\w+\\s+)?$`,
  "i",
);

/** "Vite, not webpack" chooses Vite and rejects webpack. */
export function choicesIn(text: string): NamedChoices {
  const chosen = new Set<string>();
  const rejected = new Set<string>();
  const left = new Set<string>();
  for (const { 0: word, index } of text.matchAll(/[A-Za-z][A-Za-z0-9]+/g)) {
    const name = word.toLowerCase().replace(/^postgres$/, "postgresql");
    if (!KINDS.has(name) || PLAIN_WORDS.has(word)) continue;
    const words = text.slice(Math.max(0, index - 40), index);
    (AGAINST.test(words) ? rejected : chosen).add(name);
    if (NO_LONGER.test(words)) left.add(name);
  }
  for (const name of rejected) chosen.delete(name);
  return { chosen, rejected, left };
}

/** What the two cannot both be true about. */
export function conflictOf(stated: NamedChoices, decided: NamedChoices): string | undefined {
  for (const name of stated.chosen) {
    if (decided.rejected.has(name)) return name;
    const others = KINDS.get(name);
    const isOther = [...decided.chosen].some((one) => others?.has(one));
    const isSame = decided.chosen.has(name) || [...decided.chosen].some((one) => stated.chosen.has(one));
    if (isOther && !isSame) return name;
  }
  return [...stated.rejected].find((name) => decided.chosen.has(name));
}
