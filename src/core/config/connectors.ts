import { z } from "zod";

const Globs = z.array(z.string());
const Tags = z.array(z.string()).default([]);
const Name = z
  .string()
  .regex(
    /^[A-Za-z0-9._-]{1,64}$/,
    "a connector's name is up to 64 letters, digits, dots, dashes and underscores",
  );
const TEXT_FILES = ["**/*.md", "**/*.txt"];

const Filesystem = z.strictObject({
  root: z.string(),
  include: Globs.default(TEXT_FILES),
  exclude: Globs.default([]),
  /** Leave out files that git ignores. */
  gitignore: z.boolean().default(false),
  tags: Tags,
  max_extract_bytes: z.int().positive().default(50_000_000),
});

const Git = z.strictObject({
  url: z.string(),
  branch: z.string().default("main"),
  root: z.string().default("."),
  include: Globs.default(TEXT_FILES),
  exclude: Globs.default([]),
  tags: Tags,
  shallow: z.boolean().default(true),
  max_extract_bytes: z.int().positive().default(50_000_000),
});

const Commits = z.strictObject({
  root: z.string().default("."),
  /** 0 turns it off. */
  max_commits: z.int().min(0).max(100_000).default(2_000),
  tags: Tags,
});

const Packages = z.strictObject({
  root: z.string().default("."),
  /** 0 turns it off. */
  max_packages: z.int().min(0).max(2_000).default(200),
  tags: Tags,
});

const Web = z.strictObject({
  sitemap: z.url().optional(),
  pages: z.array(z.url()).default([]),
  include: Globs.default(["**"]),
  exclude: Globs.default([]),
  tags: Tags,
  max_pages: z.int().positive().default(500),
  max_bytes: z.int().positive().default(5_000_000),
  delay_ms: z.int().min(0).default(200),
  /** Only the user's own configuration may set this. */
  allow_private_addresses: z.boolean().default(false),
});

/** A repository of a forge; what may be read of it differs. */
const forge = <Kind extends string>(
  repository: RegExp,
  kinds: readonly [Kind, ...Kind[]],
  read: readonly NoInfer<Kind>[] = kinds,
) =>
  z.strictObject({
    repository: z.string().regex(repository, "a repository is written owner/name"),
    include: z
      .array(z.enum(kinds))
      .min(1)
      .default([...read]),
    max_items: z.int().positive().max(100_000).default(1_000),
    tags: Tags,
    /** Only the user's own configuration may set these. */
    url: z.url().optional(),
    token_env: z.string().optional(),
    allow_private_addresses: z.boolean().default(false),
  });
/** Few repositories have a wiki, and only git can tell. */
const GitHub = forge(/^[\w.-]+\/[\w.-]+$/, ["issues", "pulls", "wiki"], ["issues", "pulls"]);
const GitLab = forge(/^[\w.-]+(?:\/[\w.-]+)+$/, ["issues", "merge_requests", "wiki"]);

const S3 = z.strictObject({
  bucket: z.string(),
  prefix: z.string().default(""),
  region: z.string().default("us-east-1"),
  endpoint_url: z.url().optional(),
  include: Globs.default(TEXT_FILES),
  exclude: Globs.default([]),
  tags: Tags,
  max_extract_bytes: z.int().positive().default(50_000_000),
});

const Command = z.strictObject({
  command: z.array(z.string()).min(1),
  tags: Tags,
  timeout_secs: z.number().positive().default(60),
});

/** Where documents come from: `[connectors.KIND.NAME]`. */
export const Connectors = z.strictObject({
  filesystem: z.record(Name, Filesystem).default({}),
  git: z.record(Name, Git).default({}),
  commits: z.record(Name, Commits).default({}),
  packages: z.record(Name, Packages).default({}),
  web: z.record(Name, Web).default({}),
  github: z.record(Name, GitHub).default({}),
  gitlab: z.record(Name, GitLab).default({}),
  s3: z.record(Name, S3).default({}),
  /** Programs: read only from the user's own configuration. */
  command: z.record(Name, Command).default({}),
});
