import type { StoreView } from "../store/store.ts";
import { idOf, parseDecision } from "./decision-file.ts";
import type { ContradictedDecision } from "./schemas.ts";

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
/** Words that turn a choice into its opposite, up to three words before it. */
const AGAINST =
  /\b(?:no|not|never|avoid|drop|remove|replace|without|instead of|rather than|over|from|against)\b[^.;:!?\n]{0,24}$/i;

/** Accepted decisions that a text seems to go against, by the choices both name. A person or an agent must judge. */
export function findContradictions(text: string, view: StoreView): ContradictedDecision[] {
  const stated = choicesIn(text);
  return view.all("decision").flatMap(({ key, text: file }) => {
    const { status, title, decision } = parseDecision(file);
    const id = idOf(key);
    if (status !== "accepted" || id === undefined) return [];
    const about = conflictOf(stated, choicesIn(`${title}.\n${decision}`));
    return about === undefined ? [] : [{ id, title, about }];
  });
}

interface NamedChoices {
  readonly chosen: ReadonlySet<string>;
  readonly rejected: ReadonlySet<string>;
}

/** "Vite, not webpack" chooses Vite and rejects webpack. */
function choicesIn(text: string): NamedChoices {
  const chosen = new Set<string>();
  const rejected = new Set<string>();
  for (const { 0: word, index } of text.matchAll(/[A-Za-z][A-Za-z0-9]+/g)) {
    const name = word.toLowerCase().replace(/^postgres$/, "postgresql");
    if (!ALTERNATIVES.some((names) => names.has(name)) || PLAIN_WORDS.has(word)) continue;
    if (AGAINST.test(text.slice(Math.max(0, index - 40), index))) rejected.add(name);
    else chosen.add(name);
  }
  for (const name of rejected) chosen.delete(name);
  return { chosen, rejected };
}

function conflictOf(stated: NamedChoices, decided: NamedChoices): string | undefined {
  for (const name of stated.chosen) {
    if (decided.rejected.has(name)) return name;
    const others = ALTERNATIVES.find((names) => names.has(name));
    const isOther = [...decided.chosen].some((one) => others?.has(one));
    const isSame = decided.chosen.has(name) || [...decided.chosen].some((one) => stated.chosen.has(one));
    if (isOther && !isSame) return name;
  }
  return [...stated.rejected].find((name) => decided.chosen.has(name));
}
