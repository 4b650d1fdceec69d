import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where a package comes from: a Debian binary package, a Debian source package, or npm. */
export type Origin = "deb" | "source" | "npm";

/** One row of packages.tsv: a package by exact version and checksum. */
export interface TrainingPackage {
  readonly origin: Origin;
  readonly name: string;
  readonly version: string;
  /** The file as the registry names it. */
  readonly file: string;
  /** `sha256:` in hex for Debian, npm's own `sha512-` integrity string. */
  readonly checksum: string;
}

/** Scripts run from the project root. */
export const LIST = join("training", "packages.tsv");
/** Copies of excluded repositories: read only to exclude what they hold wherever else it is. */
export const EXCLUDED_LIST = join("training", "excluded.tsv");

export const readLines = (file: string): string[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

export const readPackages = (file = LIST): TrainingPackage[] =>
  readLines(file).map((line) => {
    const [origin = "", name = "", version = "", archive = "", checksum = ""] = line.split("\t");
    if (origin !== "deb" && origin !== "source" && origin !== "npm")
      throw new Error(`Unknown origin: ${line}`);
    return { origin, name, version, file: archive, checksum };
  });

/**
 * Repositories that no model may be trained on, because the public benchmark asks about them. A word here excludes every
 * package whose name holds it as a whole word: `flask` excludes `python3-flask`, `flask` and `python3-flask-login`.
 */
const EXCLUDED_WORDS = [
  "abseil aiohttp akka alamofire commons-lang commons-lang3 axios bash-it bats boto boto3 ripgrep circe clap cli zod curl dapper",
  "deno django ecto plug httpx etcd express react fastapi jackson fmt fmtlib lazy.nvim gin chi hugo gson guava grpc",
  "guzzle aeson http4s hyper newtonsoft jekyll exposed pandoc junit junit5 starlette kotlinx coroutines ktor kubernetes",
  "k8s laravel illuminate libuv uv messagepack msgpack model2vec octocode neovim nvim nest nestjs nlohmann json3 numpy telescope nvm click jinja jinja2",
  "werkzeug flask phoenix prettier prometheus protobuf gogoprotobuf requests pydantic pytest rack rails actionpack activerecord activesupport railties",
  "redis redux scikit sklearn monolog serde bat sinatra snapkit cobra spring springframework sqlalchemy okhttp",
  "symfony tauri axum tokio trpc cats vapor vitest vue vuejs xmonad zig zls golang-go grafana thanos cortex bep",
]
  .join(" ")
  .split(" ");

/** A package that only shares a word with an excluded repository goes too: there are enough others. */
export function isExcluded(name: string): boolean {
  // React Native is not React, and its many packages hold nothing of it.
  const words = name
    .toLowerCase()
    .replaceAll("react-native", "reactnative")
    .split(/[^a-z0-9.]+/);
  // Debian writes libjackson2-databind-java and libuv1-dev.
  const bare = words.map((word) => word.replace(/^lib/, "").replace(/\d+$/, ""));
  const forms = [words, bare].map((form) => `-${form.join("-")}-`);
  return (
    EXCLUDED_WORDS.some((word) => forms.some((form) => form.includes(`-${word}-`))) ||
    /^golang-golang-x-/.test(name)
  );
}
