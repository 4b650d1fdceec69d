// Made from the tools' schemas by `npm run docs`; do not edit.

/** One method per tool. `Options` is what every method takes beside its input. */
export interface ToolMethods<Options> {
  /** Build an immutable cache of the documents in a directory. A build that fails or is stopped leaves the old cache as it was. */
  cachesBuild(input: {
    /** Directory of the documents */
    readonly sources: string;
    /** Directory to make */
    readonly cache: string;
    /** Replace a cache that is there */
    readonly force?: boolean | undefined;
    /** Patterns of files to take, separated by commas; default: **\/*.md */
    readonly include?: string | undefined;
  }, options?: Options): Promise<{
    readonly cache: string;
    readonly documents: number;
  }>;
  /** Tell why a query is answered as it is: what was taken, what was left out and why, and the next budget that changes it. */
  cachesExplain(input: {
    /** A cache: its directory, or its name under the cache root */
    readonly cache: string;
    /** Words to look for; whole words count, in any case */
    readonly query: string;
    /** Most tokens of documents to return (a token is four bytes) */
    readonly budget: number;
    /** Directory whose subdirectories are the caches */
    readonly cache_root?: string | undefined;
  }, options?: Options): Promise<{
    readonly query: string;
    readonly budget: number;
    readonly tokens_used: number;
    /** The query's different terms */
    readonly terms: readonly string[];
    readonly taken: readonly ({
      readonly rank: number;
      readonly id: string;
      readonly score: number;
      readonly tokens: number;
      readonly term_matches: number;
      readonly total_words: number;
    })[];
    readonly left_out: readonly ({
      readonly rank: number;
      readonly id: string;
      readonly score: number;
      readonly tokens: number;
      readonly term_matches: number;
      readonly total_words: number;
      readonly tokens_left: number;
      readonly why: string;
    })[];
    /** The next larger budget with another selection; null if all is taken */
    readonly next_budget: number | null;
  }>;
  /** Look at one context cache without reading its documents. Returns its version, number of documents, size of its own files and whether its manifest is usable. */
  cachesInspect(input?: {
    /** Name of the cache under the cache root, as context.list_caches lists it */
    readonly cache?: string | undefined;
    /** Directory whose subdirectories are the caches */
    readonly cache_root?: string | undefined;
  }, options?: Options): Promise<{
    readonly cache_version: string;
    readonly document_count: number;
    readonly total_bytes: number;
    readonly valid: boolean;
  }>;
  /** List the context caches this server can resolve queries against. Returns each cache's name and whether it has a manifest. */
  cachesList(input?: {
    /** Directory whose subdirectories are the caches */
    readonly cache_root?: string | undefined;
  }, options?: Options): Promise<{
    readonly caches: readonly ({
      readonly path: string;
      readonly has_manifest: boolean;
    })[];
  }>;
  /** Select documents of a prebuilt context cache for a query within a token budget, by a fixed rule: the same cache, query and budget always give the same bytes. Returns whole documents, best first, with score and token count. */
  cachesResolve(input?: {
    /** Name of the cache under the cache root, as context.list_caches lists it */
    readonly cache?: string | undefined;
    /** Words to look for; whole words count, in any case */
    readonly query?: string | undefined;
    /** Most tokens of documents to return (a token is four bytes) */
    readonly budget?: number | undefined;
    /** Directory whose subdirectories are the caches */
    readonly cache_root?: string | undefined;
  }, options?: Options): Promise<{
    readonly documents: readonly ({
      readonly id: string;
      readonly version: string;
      readonly content: string;
      readonly score: number;
      readonly tokens: number;
      readonly why: {
        readonly query_terms: readonly string[];
        readonly term_matches: number;
        readonly total_words: number;
      };
    })[];
    readonly selection: {
      readonly query: string;
      readonly budget: number;
      readonly tokens_used: number;
      readonly documents_considered: number;
      readonly documents_selected: number;
      readonly documents_excluded_by_budget: number;
    };
  }>;
  /** Check a whole cache: manifest, recomputed version, every file present, every hash right, nothing that does not belong. */
  cachesVerify(input: {
    /** A cache: its directory, or its name under the cache root */
    readonly cache: string;
    /** Directory whose subdirectories are the caches */
    readonly cache_root?: string | undefined;
  }, options?: Options): Promise<{
    readonly cache_version: string;
    readonly document_count: number;
  }>;
  /** Show who calls a symbol, or what it calls. */
  callGraph(input: {
    /** A name, Type.method or path:line */
    readonly symbol: string;
    /** Directory or file */
    readonly path?: string | undefined;
    readonly direction?: "callers" | "callees" | undefined;
    readonly depth?: number | undefined;
    /** Tokens */
    readonly budget?: number | undefined;
  }, options?: Options): Promise<{
    readonly symbol: string;
    readonly direction: "callers" | "callees";
    readonly roots: readonly CallGraphOutputschema0[];
    readonly files_changed: number;
  }>;
  /** Tell whether the description of one directory still matches its files. Stale means files changed since it was written; content_changed false means only their times did. */
  checkFreshness(input: {
    /** Directory relative to the project root, such as "src/core"; "." is the root itself */
    readonly scope: string;
    /** Another project's root instead of the one this server serves */
    readonly path?: string | undefined;
  }, options?: Options): Promise<{
    readonly scope: string;
    readonly state: "fresh" | "stale" | "missing";
    readonly fingerprint?: {
      readonly stored: string;
      readonly computed: string;
    };
    readonly last_updated?: string;
    /** For a stale context in git: whether the directory's files differ from when it was written */
    readonly content_changed?: boolean;
    readonly error?: string;
  }>;
  /** Write the team's public conventions, knowledge, decisions and skills into the files a client reads. Only text between our own markers is changed. */
  clientsExport(input?: {
    /** The client to write for: claude-code, cline, codex, cursor, devin, gemini, opencode, vscode, zed */
    readonly client?: "claude-code" | "cline" | "codex" | "cursor" | "devin" | "gemini" | "opencode" | "vscode" | "zed" | undefined;
    /** Write nothing; exit with 4 if files differ from the memory. Without a client: all clients exported before */
    readonly check?: boolean | undefined;
    /** Only show what would be written */
    readonly plan?: boolean | undefined;
  }, options?: Options): Promise<{
    readonly files: readonly ({
      readonly file: string;
      readonly action: "create" | "change" | "remove" | "unchanged" | "skipped" | "refused";
      readonly note: string;
      readonly diff: string;
    })[];
    readonly written: boolean;
  }>;
  /** Read the rules and skills a client has in this project into the team's memory. Entries that the memory already has are not added again. */
  clientsImport(input: {
    /** The client whose files are read: claude-code, cline, codex, cursor, devin, gemini, opencode, vscode, zed */
    readonly client: "claude-code" | "cline" | "codex" | "cursor" | "devin" | "gemini" | "opencode" | "vscode" | "zed";
    /** Only show what would be added */
    readonly plan?: boolean | undefined;
    /** Replace entries with the same name and another text */
    readonly replace?: boolean | undefined;
  }, options?: Options): Promise<{
    readonly entries: readonly ({
      readonly kind: "convention" | "skill";
      readonly key: string;
      readonly from: string;
      readonly action: "add" | "replace" | "known" | "differs" | "refused";
      readonly note: string;
    })[];
    readonly written: boolean;
  }>;
  /** Put contextful into the configuration of coding agents. Shows the exact change of every file first and asks; --yes writes it without asking, --undo restores the old state. */
  clientsSetup(input?: {
    /** Clients to set up: claude-code, cline, codex, cursor, devin, gemini, opencode, vscode, zed. Default: those found on this machine */
    readonly clients?: readonly string[] | undefined;
    /** Write without asking; otherwise setup shows what it would write and asks at a terminal (--undo needs no --yes) */
    readonly yes?: boolean | undefined;
    /** Only show what would be written */
    readonly plan?: boolean | undefined;
    /** Restore what was there before setup, for the named clients or for all; with --plan only show it */
    readonly undo?: boolean | undefined;
    /** Print only the entry, to copy by hand */
    readonly print?: boolean | undefined;
    /** Files of this project, or of the user. Default: project, if the client has such a file */
    readonly scope?: "project" | "user" | undefined;
    /** Tools the client is shown: auto (lean for coding agents), all, lean, or rooms separated by commas */
    readonly tools?: string | undefined;
    /** How the client starts contextful: by its command, with npx, or with the running file */
    readonly launch?: "auto" | "command" | "npx" | "here" | undefined;
  }, options?: Options): Promise<{
    readonly files: readonly ({
      readonly client: "claude-code" | "cline" | "codex" | "cursor" | "devin" | "gemini" | "opencode" | "vscode" | "zed";
      readonly scope: "project" | "user";
      readonly file: string;
      readonly action: "create" | "change" | "remove" | "unchanged" | "refused";
      readonly note: string;
      readonly diff: string;
    })[];
    readonly written: boolean;
    /** The answer of the person, if one was asked */
    readonly answer?: "yes" | "no";
    readonly snippet?: string;
  }>;
  /** List the indexed files of the project with language, lines and symbols */
  codeFiles(input?: {
    /** The project's directory */
    readonly path?: string | undefined;
  }, options?: Options): Promise<{
    readonly files: readonly ({
      readonly path: string;
      /** Empty for a text file in no known language */
      readonly language: string;
      readonly lines: number;
      readonly symbols: number;
    })[];
    /** How many files changed since they were indexed */
    readonly files_changed: number;
  }>;
  /** Show what a change touches: the symbols, who calls them, which tests reach them */
  codeImpact(input?: {
    /** A commit or a range; default: what is not committed */
    readonly range?: string | undefined;
    /** The project's directory */
    readonly path?: string | undefined;
  }, options?: Options): Promise<{
    readonly range: string;
    readonly changed: readonly ({
      readonly name: string;
      readonly kind: string;
      readonly parent?: string;
      readonly path: string;
      readonly line: number;
      readonly end_line: number;
      readonly signature: string;
      readonly doc: string;
      readonly exported: boolean;
    })[];
    readonly callers: readonly ({
      readonly name: string;
      readonly kind: string;
      readonly parent?: string;
      readonly path: string;
      readonly line: number;
      readonly end_line: number;
      readonly signature: string;
      readonly doc: string;
      readonly exported: boolean;
      readonly calls: string;
      readonly confidence: "resolved" | "probable" | "name only";
    })[];
    readonly tests: readonly string[];
    readonly files_changed: number;
  }>;
  /** Publish the index of the checked-out commit to the team's store */
  codePublish(input?: {
    /** The project's directory */
    readonly path?: string | undefined;
    /** A directory, or a postgres: or https: URL; default: [team] url of your own configuration */
    readonly to?: string | undefined;
    /** What people call the project; default: its remote's name */
    readonly name?: string | undefined;
    /** Read every stored block and replace damaged ones */
    readonly repair?: boolean | undefined;
    /** Wait until the better model has embedded everything */
    readonly wait?: boolean | undefined;
  }, options?: Options): Promise<{
    /** The repository, by its first commits */
    readonly project: string;
    readonly name: string;
    readonly commit: string;
    readonly published_at: string;
    /** How many blocks the index has */
    readonly blocks: number;
    /** How many of them the store did not have */
    readonly new_blocks: number;
    readonly new_bytes: number;
  }>;
  /** List the symbols of a project, or those whose name begins with NAME */
  codeSymbols(input?: {
    /** The project's directory */
    readonly path?: string | undefined;
    /** The beginning of the name, in any case */
    readonly name?: string | undefined;
    /** Most symbols to list */
    readonly limit?: number | undefined;
  }, options?: Options): Promise<{
    readonly symbols: readonly ({
      readonly name: string;
      readonly kind: string;
      readonly signature: string;
      readonly doc: string;
      readonly path: string;
      readonly line: number;
      readonly end_line: number;
      readonly exported: boolean;
      readonly parent?: string;
    })[];
    /** There are more than were asked for */
    readonly more: boolean;
  }>;
  /** List definitions that nothing in the project uses, the surest first */
  codeUnused(input?: {
    /** Directory or file */
    readonly path?: string | undefined;
    /** Most definitions */
    readonly limit?: number | undefined;
  }, options?: Options): Promise<{
    readonly definitions: readonly ({
      readonly name: string;
      readonly kind: string;
      readonly parent?: string;
      readonly path: string;
      readonly line: number;
      readonly end_line: number;
      readonly signature: string;
      readonly doc: string;
      readonly exported: boolean;
      readonly confidence: "sure" | "probable" | "exported";
    })[];
    readonly total: number;
    readonly files_changed: number;
  }>;
  /** Store a rule the whole team and its agents follow, such as git workflow or naming; a convention of that key is overwritten. */
  contextAddConvention(input: {
    /** Short name, e.g. git or naming */
    readonly key: string;
    /** Markdown, stored as given */
    readonly content: string;
    /** public, private or ephemeral; empty keeps the scope, and makes a new entry public */
    readonly scope?: string | undefined;
    /** Code this speaks of, as "path" or "path#Symbol": the entry turns suspect when it changes */
    readonly anchors?: readonly string[] | undefined;
    /** Store it even if it looks like a secret */
    readonly allow_secret?: boolean | undefined;
    readonly must_be_new?: boolean | undefined;
  }, options?: Options): Promise<{
    readonly status: "ok";
    readonly key: string;
    readonly requested_key?: string;
    readonly created: boolean;
    readonly scope: "public" | "private" | "ephemeral";
    readonly similar?: readonly ({
      readonly type: string;
      readonly key: string;
      readonly similarity: number;
    })[];
    readonly contradicts?: readonly ({
      readonly id: number;
      readonly title: string;
      readonly about: string;
    })[];
    readonly warnings?: readonly string[];
    readonly sharing?: string;
  }>;
  /** Store what the team should know about this project under a key; an entry of that key is overwritten. Answers with the key as stored and with entries that say nearly the same. */
  contextAddKnowledge(input: {
    /** Short name, e.g. architecture or tech-stack */
    readonly key: string;
    /** Markdown, stored as given */
    readonly content: string;
    /** public, private or ephemeral; empty keeps the scope, and makes a new entry public */
    readonly scope?: string | undefined;
    /** Code this speaks of, as "path" or "path#Symbol": the entry turns suspect when it changes */
    readonly anchors?: readonly string[] | undefined;
    /** Store it even if it looks like a secret */
    readonly allow_secret?: boolean | undefined;
    readonly must_be_new?: boolean | undefined;
  }, options?: Options): Promise<{
    readonly status: "ok";
    readonly key: string;
    readonly requested_key?: string;
    readonly created: boolean;
    readonly scope: "public" | "private" | "ephemeral";
    readonly similar?: readonly ({
      readonly type: string;
      readonly key: string;
      readonly similarity: number;
    })[];
    readonly contradicts?: readonly ({
      readonly id: number;
      readonly title: string;
      readonly about: string;
    })[];
    readonly warnings?: readonly string[];
    readonly sharing?: string;
  }>;
  /** Store a reusable procedure for agents as a SKILL.md made from name, description and instructions; a skill of that name is overwritten and keeps its ratings. */
  contextAddSkill(input: {
    /** a-z, 0-9 and dashes, e.g. deploy-staging */
    readonly name: string;
    /** What it does and when to use it */
    readonly description: string;
    /** Markdown body */
    readonly instructions: string;
    /** public, private or ephemeral; empty keeps the scope, and makes a new entry public */
    readonly scope?: string | undefined;
    /** Store it even if it looks like a secret */
    readonly allow_secret?: boolean | undefined;
  }, options?: Options): Promise<{
    readonly status: "ok";
    readonly name: string;
    readonly requested_name?: string;
    readonly created: boolean;
    readonly scope: "public" | "private" | "ephemeral";
    readonly similar?: readonly ({
      readonly type: string;
      readonly key: string;
      readonly similarity: number;
    })[];
    readonly contradicts?: readonly ({
      readonly id: number;
      readonly title: string;
      readonly about: string;
    })[];
    readonly sharing?: string;
  }>;
  /** Add a summary of this session to the team's history, so that the next agent knows what was done. */
  contextAppendSession(input?: {
    /** Who worked; default: the caller */
    readonly agent?: string | undefined;
    /** What was done */
    readonly summary?: string | undefined;
    /** Comma-separated keys */
    readonly knowledge_added?: string | undefined;
    /** Comma-separated decision ids */
    readonly decisions_added?: string | undefined;
  }, options?: Options): Promise<{
    readonly status: "ok";
    readonly session_id: string;
  }>;
  /** Show one conflicted file: both sides, their common base, a diff and what merges by itself. */
  contextConflictDetail(input: {
    /** Path of the conflicted file, relative to the project */
    readonly file_path: string;
  }, options?: Options): Promise<{
    readonly file_path: string;
    readonly kind: string;
    readonly resolved: boolean;
    readonly ours_content: string;
    readonly theirs_content: string;
    readonly base_content: string;
    readonly diff: string;
    readonly section_analysis?: {
      readonly has_section_conflicts: boolean;
      readonly conflict_details: readonly string[];
      readonly auto_merged_content: unknown;
    };
  }>;
  /** Read any value by its dotted path, e.g. knowledge.architecture, decisions.1, state, preferences.team, manifest.project.name, history, about.knowledge.architecture. */
  contextGet(input: {
    /** Section, then names, joined by dots */
    readonly dotpath: string;
  }, options?: Options): Promise<ContextGetOutput>;
  /** Read one team convention by its key. `suspect` says that the code it speaks of has changed since. */
  contextGetConvention(input: {
    /** Key of the convention */
    readonly key: string;
  }, options?: Options): Promise<{
    readonly key: string;
    readonly content: string;
    readonly scope: "public" | "private" | "ephemeral";
    readonly author?: string;
    readonly created_at?: string;
    readonly updated_at: string;
    readonly anchors?: readonly string[];
    readonly suspect?: true;
    readonly changed?: readonly ({
      readonly anchor: string;
      readonly change: "changed" | "missing";
    })[];
  }>;
  /** Tell whether an entry is public (shared), private (this machine only) or ephemeral. */
  contextGetScope(input: {
    /** knowledge, decision, convention or skill */
    readonly entry_type: string;
    /** Key, decision id or title, or skill name */
    readonly key: string;
  }, options?: Options): Promise<{
    readonly key: string;
    readonly scope: "public" | "private" | "ephemeral";
    readonly warnings?: readonly string[];
  }>;
  /** List the team's conventions with key, content and scope. Read them before you change code. */
  contextListConventions(input?: Readonly<Record<never, never>>, options?: Options): Promise<readonly ({
    readonly key: string;
    readonly content: string;
    readonly scope: "public" | "private" | "ephemeral";
    readonly author?: string;
    readonly created_at?: string;
    readonly updated_at: string;
    readonly anchors?: readonly string[];
    readonly suspect?: true;
    readonly changed?: readonly ({
      readonly anchor: string;
      readonly change: "changed" | "missing";
    })[];
  })[]>;
  /** List proposals to improve skills, oldest first, of one skill or of one status (pending, accepted, rejected, upstream). Rationales are cut at 100 characters. */
  contextListSkillProposals(input?: {
    /** Empty for all skills */
    readonly skill_name?: string | undefined;
    /** Empty for all */
    readonly status?: string | undefined;
  }, options?: Options): Promise<readonly ({
    readonly id: string;
    readonly skill_name: string;
    readonly agent: string;
    readonly status: "pending" | "accepted" | "rejected" | "upstream";
    readonly diff_summary: string;
    readonly rationale: string;
    readonly created_at: string;
  })[]>;
  /** Abort the pending merge. Nothing of it was applied; the next pull finds the conflicts again. */
  contextMergeAbort(input?: Readonly<Record<never, never>>, options?: Options): Promise<{
    readonly status: "aborted";
  }>;
  /** Finish the merge with the given resolutions. Files without one keep our side. */
  contextMergeFinalize(input?: Readonly<Record<never, never>>, options?: Options): Promise<{
    readonly status: "merged";
    readonly commit: string;
    readonly resolved: number;
    readonly kept_ours: readonly string[];
    readonly renumbered: readonly ({
      readonly from: string;
      readonly to: string;
    })[];
    readonly warnings: readonly string[];
  }>;
  /** Say whether a merge of the team's memory waits for decisions, and which files are in conflict. */
  contextMergeStatus(input?: Readonly<Record<never, never>>, options?: Options): Promise<{
    readonly status: "clean" | "conflicts";
    readonly conflict_id?: string;
    readonly report?: {
      readonly has_conflicts: boolean;
      readonly total: number;
      readonly unresolved: number;
      readonly conflicts: readonly ({
        readonly file_path: string;
        readonly kind: string;
        readonly ours_preview: string;
        readonly theirs_preview: string;
        readonly resolved: boolean;
      })[];
      readonly auto_resolved: readonly string[];
    };
  }>;
  /** Everything relevant to a task in one answer within a token budget: conventions, decisions, directory summaries, code and documents, each cited. Call it first when you start a task; the receipt lists what was left out. */
  contextPack(input: {
    /** What you are about to do, in a sentence or two */
    readonly task: string;
    /** Most tokens the answer may have (o200k) */
    readonly budget?: number | undefined;
    /** Directory of the project; default: the served one */
    readonly path?: string | undefined;
    /** Only these rooms */
    readonly rooms?: readonly ("directory-contexts" | "context-caches" | "team-memory" | "documents" | "code-index")[] | undefined;
    /** Git range BASE..HEAD: what changed and what it touches */
    readonly diff?: string | undefined;
    /** Pack ids you already have: their items are not repeated */
    readonly except?: readonly string[] | undefined;
    /** short (default): at most a tenth of the budget; full: why each item was taken or left out */
    readonly receipt?: "short" | "full" | undefined;
  }, options?: Options): Promise<{
    readonly pack_id: string;
    readonly task: string;
    readonly budget: number;
    readonly tokens: number;
    readonly items: readonly ({
      readonly id: string;
      readonly room: "directory-contexts" | "context-caches" | "team-memory" | "documents" | "code-index" | "packs";
      readonly kind: "convention" | "decision" | "knowledge" | "state" | "change" | "directory" | "code" | "document";
      readonly title: string;
      readonly size: string;
      readonly score: number;
      readonly why: string;
      readonly provenance: string;
      readonly freshness: string;
      readonly path: string;
      readonly start: number;
      readonly end: number;
      readonly text: string;
      readonly orders: readonly number[];
      readonly redacted: readonly string[];
    })[];
    readonly receipt: {
      readonly taken: readonly ({
        readonly room: "directory-contexts" | "context-caches" | "team-memory" | "documents" | "code-index" | "packs";
        readonly items: readonly ({
          readonly id: string;
          readonly title: string;
          readonly size: string;
          readonly why: string;
        })[];
      })[];
      readonly left_out: readonly ({
        readonly room: "directory-contexts" | "context-caches" | "team-memory" | "documents" | "code-index" | "packs";
        readonly title: string;
        readonly where: string;
        readonly reason: "budget" | "duplicate" | "stale" | "below score" | "excluded";
      })[];
      readonly next?: {
        readonly budget: number;
        readonly adds: readonly string[];
      };
      readonly empty_rooms: readonly ({
        readonly room: "directory-contexts" | "context-caches" | "team-memory" | "documents" | "code-index" | "packs";
        readonly reason: string;
        readonly command?: string;
      })[];
    };
    readonly markdown: string;
  }>;
  /** Propose a whole new SKILL.md for an existing skill, for a person to accept or reject. Answers with the proposal's id and a diff. */
  contextProposeSkillImprovement(input: {
    /** Name of the skill */
    readonly skill_name: string;
    /** Whole SKILL.md: frontmatter with the same name, then the body */
    readonly proposed_content: string;
    /** Why it is better */
    readonly rationale?: string | undefined;
  }, options?: Options): Promise<{
    readonly status: "ok";
    readonly proposal_id: string;
    readonly diff_summary: string;
  }>;
  /** Rate a skill you used from 1 (poor) to 5 (excellent). Two ratings or more that average below 3 mark it for review. */
  contextRateSkill(input: {
    /** Name of the skill */
    readonly skill_name: string;
    /** 1 to 5 */
    readonly rating: number;
    /** What was good or wrong */
    readonly comment?: string | undefined;
  }, options?: Options): Promise<{
    readonly status: "ok";
    readonly feedback_id: string;
  }>;
  /** Record an architectural decision with the reason for it and what follows from it. It gets the next free id; answers with id and title. */
  contextRecordDecision(input: {
    /** What was decided, in a few words */
    readonly title: string;
    /** Why it was needed */
    readonly context?: string | undefined;
    /** What was decided */
    readonly decision?: string | undefined;
    /** What follows */
    readonly consequences?: string | undefined;
    /** public, private or ephemeral; empty keeps the scope, and makes a new entry public */
    readonly scope?: string | undefined;
    /** Code this speaks of, as "path" or "path#Symbol": the entry turns suspect when it changes */
    readonly anchors?: readonly string[] | undefined;
    /** Store it even if it looks like a secret */
    readonly allow_secret?: boolean | undefined;
  }, options?: Options): Promise<{
    readonly status: "ok";
    readonly id: number;
    readonly title: string;
    readonly scope: "public" | "private" | "ephemeral";
    readonly similar?: readonly ({
      readonly type: string;
      readonly key: string;
      readonly similarity: number;
    })[];
    readonly contradicts?: readonly ({
      readonly id: number;
      readonly title: string;
      readonly about: string;
    })[];
    readonly sharing?: string;
  }>;
  /** Remove a knowledge entry by its key. Answers removed or not_found. */
  contextRemoveKnowledge(input: {
    /** Key of the entry */
    readonly key: string;
  }, options?: Options): Promise<{
    readonly status: "removed" | "not_found";
    readonly did_you_mean?: string;
    readonly key: string;
  }>;
  /** Remove a skill with its usage, ratings and proposals. Answers removed or not_found. */
  contextRemoveSkill(input: {
    /** Name of the skill */
    readonly name: string;
  }, options?: Options): Promise<{
    readonly status: "removed" | "not_found";
    readonly did_you_mean?: string;
    readonly name: string;
  }>;
  /** Record that you used a skill, so that the team sees which ones matter. */
  contextReportSkillUsage(input: {
    /** Name of the skill */
    readonly skill_name: string;
  }, options?: Options): Promise<{
    readonly status: "ok";
    readonly event_id: string;
  }>;
  /** Resolve one conflicted file with its final content. You may resolve it again until the merge is finished. */
  contextResolveConflict(input: {
    /** Path of the conflicted file, relative to the project */
    readonly file_path: string;
    /** The whole new text of the file; empty deletes a file that one side deleted */
    readonly content: string;
  }, options?: Options): Promise<{
    readonly status: "resolved";
    readonly file_path: string;
    readonly remaining: number;
  }>;
  /** Remove a team convention by its key. Answers removed or not_found. */
  contextRmConvention(input: {
    /** Key of the convention */
    readonly key: string;
  }, options?: Options): Promise<{
    readonly status: "removed" | "not_found";
    readonly did_you_mean?: string;
    readonly key: string;
  }>;
  /** Search everything the team has written down: knowledge, conventions, decisions and skills. Returns lines, best first, with file, key, line number and a score up to 1. */
  contextSearch(input: {
    /** Words or a phrase */
    readonly query: string;
    /** Most lines to return */
    readonly limit?: number | undefined;
    /** hybrid also finds entries that say it in other words */
    readonly mode?: "keyword" | "hybrid" | undefined;
  }, options?: Options): Promise<readonly ({
    readonly key: string;
    readonly file: string;
    readonly line: number;
    readonly text: string;
    readonly score: number;
    readonly type: string;
    readonly scope: "public" | "private" | "ephemeral";
    readonly suspect?: true;
    readonly past?: true;
  })[]>;
  /** Set a value by its dotted path: knowledge.KEY, conventions.KEY, state.FIELD, preferences.team.KEY or preferences.user.KEY. */
  contextSet(input: {
    /** Section, then names, joined by dots */
    readonly dotpath: string;
    /** The new value */
    readonly value: string;
  }, options?: Options): Promise<{
    readonly status: "ok";
    readonly dotpath: string;
  }>;
  /** Make an entry public, private or ephemeral. Only public entries are ever synced or exported. */
  contextSetScope(input: {
    /** knowledge, decision, convention or skill */
    readonly entry_type: string;
    /** Key, decision id or title, or skill name */
    readonly key: string;
    /** public, private or ephemeral */
    readonly scope: string;
  }, options?: Options): Promise<{
    readonly status: "ok";
    readonly key: string;
    readonly scope: "public" | "private" | "ephemeral";
    readonly warnings?: readonly string[];
  }>;
  /** Fetch what teammates pushed and merge it section by section. With strategy agent, real conflicts are kept for you to resolve one by one. */
  contextSyncPull(input?: {
    /** Who wins a conflict: ours, theirs, or agent */
    readonly strategy?: string | undefined;
  }, options?: Options): Promise<{
    readonly status: "pulled" | "merged" | "up_to_date" | "no_remote" | "conflicts";
    readonly commit?: string;
    readonly strategy?: string;
    readonly conflict_id?: string;
    readonly files?: readonly string[];
    readonly resolved?: readonly string[];
    readonly auto_resolved?: readonly string[];
    readonly renumbered?: readonly ({
      readonly from: string;
      readonly to: string;
    })[];
    readonly warnings?: readonly string[];
  }>;
  /** Commit the team's memory and push it to the git remote; without a remote it is only committed. Call it when you have recorded something the team should have. */
  contextSyncPush(input?: {
    /** Commit message; empty: says what changed */
    readonly message?: string | undefined;
  }, options?: Options): Promise<{
    readonly status: "pushed" | "committed" | "nothing_to_push";
    readonly commit?: string;
    readonly push_error?: string;
    readonly ahead?: number;
    readonly behind?: number;
    readonly auto_resolved?: readonly string[];
    readonly renumbered?: readonly ({
      readonly from: string;
      readonly to: string;
    })[];
    readonly warnings?: readonly string[];
  }>;
  /** Say what you are working on and what blocks you. Fields that are left out stay as they are. */
  contextUpdateState(input?: {
    /** Empty: no change */
    readonly current_task?: string | undefined;
    /** Comma-separated; empty clears them, left out: no change */
    readonly blockers?: string | undefined;
  }, options?: Options): Promise<{
    readonly status: "ok";
    readonly current_task: string;
    readonly blockers: readonly string[];
  }>;
  /** Exclude a directory and everything below it from contexts, with a line in .contextignore. */
  directoriesIgnore(input: {
    /** A directory of the project, relative to its root */
    readonly dir: string;
    /** The project's directory; default: the one you are in */
    readonly path?: string | undefined;
  }, options?: Options): Promise<{
    readonly pattern: string;
    readonly added: boolean;
  }>;
  /** Describe every directory of the project in a .context.yaml, from its files alone. */
  directoriesInit(input?: {
    /** The project's directory; default: the one you are in */
    readonly path?: string | undefined;
    /** Also describe files, interfaces, external dependencies and tests */
    readonly full?: boolean | undefined;
    /** Let the model of your [llm] configuration write summaries */
    readonly llm?: boolean | undefined;
    /** Let a program write summaries: the NAME of a [directories.command.NAME] in your own config.toml */
    readonly with?: string | undefined;
    /** Write what the program of --with wrote without asking */
    readonly yes?: boolean | undefined;
    /** Keep a short section about directories in AGENTS.md; default: only if it has one already */
    readonly agents?: boolean | undefined;
    /** Replace invalid context files, and accept a home directory as a project */
    readonly force?: boolean | undefined;
    /** Write nothing; print what would change as a diff */
    readonly dry_run?: boolean | undefined;
  }, options?: Options): Promise<{
    readonly root: string;
    readonly dry_run: boolean;
    readonly created: readonly string[];
    readonly updated: readonly string[];
    readonly unchanged: number;
    readonly kept: readonly ({
      readonly scope: string;
      readonly fields: readonly string[];
    })[];
    readonly left_out: readonly string[];
    readonly skipped: readonly ({
      readonly scope: string;
      readonly reason: string;
    })[];
    readonly failed: readonly ({
      readonly scope: string;
      readonly reason: string;
    })[];
    readonly agents_md: "written" | "would be written" | "unchanged" | "skipped";
    readonly warnings: readonly string[];
    readonly diff?: string;
  }>;
  /** Update contexts that no longer match the files; what people wrote stays. */
  directoriesRegen(input?: {
    /** A directory of the project, relative to its root */
    readonly dir?: string | undefined;
    /** The project's directory; default: the one you are in */
    readonly path?: string | undefined;
    /** Only contexts that are stale or missing */
    readonly stale?: boolean | undefined;
    /** Also describe files, interfaces, external dependencies and tests */
    readonly full?: boolean | undefined;
    /** Let the model of your [llm] configuration write summaries */
    readonly llm?: boolean | undefined;
    /** Let a program write summaries: the NAME of a [directories.command.NAME] in your own config.toml */
    readonly with?: string | undefined;
    /** Write what the program of --with wrote without asking */
    readonly yes?: boolean | undefined;
    /** Keep a short section about directories in AGENTS.md; default: only if it has one already */
    readonly agents?: boolean | undefined;
    /** Replace invalid context files, and accept a home directory as a project */
    readonly force?: boolean | undefined;
    /** Write nothing; print what would change as a diff */
    readonly dry_run?: boolean | undefined;
  }, options?: Options): Promise<{
    readonly root: string;
    readonly dry_run: boolean;
    readonly created: readonly string[];
    readonly updated: readonly string[];
    readonly unchanged: number;
    readonly kept: readonly ({
      readonly scope: string;
      readonly fields: readonly string[];
    })[];
    readonly left_out: readonly string[];
    readonly skipped: readonly ({
      readonly scope: string;
      readonly reason: string;
    })[];
    readonly failed: readonly ({
      readonly scope: string;
      readonly reason: string;
    })[];
    readonly agents_md: "written" | "would be written" | "unchanged" | "skipped";
    readonly warnings: readonly string[];
    readonly diff?: string;
  }>;
  /** Confirm that every context is still true: set its fingerprint and change nothing else. */
  directoriesRehash(input?: {
    /** The project's directory; default: the one you are in */
    readonly path?: string | undefined;
  }, options?: Options): Promise<{
    readonly root: string;
    readonly rehashed: readonly string[];
    readonly fresh: number;
    readonly failed: readonly ({
      readonly scope: string;
      readonly reason: string;
    })[];
  }>;
  /** Print a directory's .context.yaml as it is. */
  directoriesShow(input: {
    /** A directory of the project, relative to its root */
    readonly dir: string;
    /** The project's directory; default: the one you are in */
    readonly path?: string | undefined;
  }, options?: Options): Promise<{
    readonly scope: string;
    readonly text: string;
  }>;
  /** Show which directories have a context and whether it is fresh. Exits with 0 if all are, with 4 if one is missing, invalid or out of date; a stale context whose content is unchanged is not out of date. */
  directoriesStatus(input?: {
    /** The project's directory; default: the one you are in */
    readonly path?: string | undefined;
    /** List only directories that are out of date or missing */
    readonly stale?: boolean | undefined;
    /** Also check the schema and compare contexts with the files; warnings count */
    readonly strict?: boolean | undefined;
  }, options?: Options): Promise<{
    readonly root: string;
    readonly directories: readonly ({
      readonly scope: string;
      readonly state: "fresh" | "stale" | "missing";
      readonly fingerprint: string;
      readonly summary?: string;
      readonly content_changed?: boolean;
      readonly problem?: string;
    })[];
    readonly summary: {
      readonly total: number;
      readonly tracked: number;
      readonly fresh: number;
      readonly stale: number;
      readonly missing: number;
      readonly skipped: number;
    };
    readonly findings?: readonly ({
      readonly scope: string;
      readonly level: "error" | "warning" | "info";
      readonly rule: string;
      readonly message: string;
    })[];
    readonly ok: boolean;
  }>;
  /** Add a source of documents to contextful.toml: a directory, a web page, a sitemap or a repository. */
  documentsAdd(input: {
    /** A directory of the project, a web page, a sitemap, or a git repository */
    readonly source: string;
    /** Name of the source; default: from the directory or the address */
    readonly name?: string | undefined;
    /** Write without asking */
    readonly yes?: boolean | undefined;
  }, options?: Options): Promise<{
    readonly label: string;
    readonly file: string;
    readonly diff: string;
    readonly written: boolean;
  }>;
  /** Write all documents and chunks as one JSON file, or to the terminal. */
  documentsExport(input?: {
    /** File to write; default: print */
    readonly output?: string | undefined;
  }, options?: Options): Promise<{
    readonly written: unknown;
    readonly documents: readonly ({ readonly [key: string]: unknown })[];
    readonly chunks: readonly ({ readonly [key: string]: unknown })[];
  }>;
  /** Read one document whole, with its metadata and chunks, by the id that context.search gave. Fails with not_found for an unknown id. */
  documentsGet(input: {
    /** StoredDocument id from a search result */
    readonly id: string;
  }, options?: Options): Promise<{
    readonly id: string;
    readonly source: string;
    readonly source_id: string;
    readonly source_url: unknown;
    readonly title: unknown;
    readonly author: unknown;
    readonly created_at: string;
    readonly updated_at: string;
    readonly content_type: string;
    readonly body: string;
    readonly metadata: { readonly [key: string]: unknown };
    readonly chunks: readonly ({
      readonly index: number;
      readonly text: string;
    })[];
  }>;
  /** Search the project's documents (notes, guides, runbooks, web pages) brought in from its configured sources. Returns the best documents with a snippet each; read one whole with context.get. */
  documentsSearch(input: {
    /** Words or a question to look for */
    readonly query: string;
    /** keyword: by words; semantic: by meaning; hybrid: both */
    readonly mode?: "keyword" | "semantic" | "hybrid" | undefined;
    /** Most documents to return; 12 unless configured otherwise */
    readonly limit?: number | undefined;
    readonly filters?: {
      /** Exact source label, e.g. filesystem:docs */
      readonly source?: unknown;
      /** Only documents with all of these tags */
      readonly tags?: readonly string[] | null | undefined;
      readonly since?: string | null | undefined;
      readonly until?: string | null | undefined;
    } | null | undefined;
    /** Say how each score came about */
    readonly explain?: boolean | undefined;
    /** Read the files of the project that have changed first */
    readonly sync_first?: boolean | undefined;
  }, options?: Options): Promise<{
    readonly results: readonly ({
      readonly id: string;
      readonly score: number;
      readonly title: unknown;
      readonly source: string;
      readonly source_id: string;
      readonly updated_at: string;
      readonly snippet: string;
      readonly source_url: unknown;
      readonly explanation?: {
        readonly keyword_score: number;
        readonly semantic_score: number;
        readonly alpha: number;
        readonly keyword_candidates: number;
        readonly vector_candidates: number;
      };
    })[];
  }>;
  /** List the configured sources of documents: whether each can be reached now, and when it was last synced. Use it when a search finds less than expected. */
  documentsSources(input?: Readonly<Record<never, never>>, options?: Options): Promise<{
    readonly sources: readonly ({
      readonly name: string;
      readonly configured: boolean;
      readonly healthy: boolean;
      readonly notes: unknown;
    })[];
  }>;
  /** Count what is stored: documents, chunks and vectors, for each source. */
  documentsStats(input?: Readonly<Record<never, never>>, options?: Options): Promise<{
    readonly documents: number;
    readonly chunks: number;
    readonly embedded: number;
    readonly size_bytes: number;
    readonly sources: readonly ({
      readonly source: string;
      readonly documents: number;
      readonly chunks: number;
      readonly last_sync: unknown;
      readonly last_complete: unknown;
    })[];
    readonly problems: readonly string[];
  }>;
  /** Bring documents in from the configured sources; only what changed is read and written. */
  documentsSync(input?: {
    /** all, a type such as git, or one source such as git:handbook */
    readonly target?: string | undefined;
    /** Read everything again, changed or not */
    readonly full?: boolean | undefined;
    /** Only show what would be read and removed */
    readonly dry_run?: boolean | undefined;
    /** Only documents updated at or after this date or RFC 3339 time */
    readonly since?: string | undefined;
    /** Only documents updated at or before this date or RFC 3339 time */
    readonly until?: string | undefined;
    /** Most items to read from each source */
    readonly limit?: number | undefined;
    /** How progress is shown on stderr: for people, as JSON lines, or not at all */
    readonly progress?: "human" | "json" | "none" | undefined;
  }, options?: Options): Promise<{
    readonly dry_run: boolean;
    readonly sources: readonly ({
      readonly source: string;
      readonly status: "ok" | "partial" | "failed";
      /** Items that the source listed */
      readonly found: number;
      /** It listed only what was updated since the last complete run, so nothing counts as deleted */
      readonly only_updated: boolean;
      /** Documents added or replaced */
      readonly written: number;
      readonly unchanged: number;
      /** Documents of deleted items */
      readonly removed: number;
      /** Items that could not become documents */
      readonly skipped: number;
      /** Items that could not be read this time; their documents stay */
      readonly failed: number;
      /** Chunks written */
      readonly chunks: number;
      /** Documents of packages that were prepared before, here or for another project */
      readonly reused: number;
      /** The run was complete, so the checkpoint moved */
      readonly complete: boolean;
      /** Time of the last complete run */
      readonly checkpoint: unknown;
      readonly problems: readonly ({
        /** What it concerns: the source, or an item */
        readonly kind: "source" | "failed" | "skipped" | "gone";
        readonly source_id: unknown;
        readonly reason: string;
      })[];
    })[];
    /** The configured model, if there is one */
    readonly embedding?: {
      readonly model: string;
      /** Why it has not embedded everything; until then the quick model answers */
      readonly problem?: string;
    };
  }>;
  /** Show the result of the last evaluation of this project again. */
  evaluationReport(input?: {
    /** Directory of the project; default: the served one */
    readonly path?: string | undefined;
  }, options?: Options): Promise<{
    readonly made_at: unknown;
    readonly report: {
      readonly head: string;
      readonly tasks: readonly ({
        readonly commit: string;
        readonly task: string;
        readonly functions: readonly string[];
        readonly files: readonly string[];
        readonly answers: readonly ({
          readonly method: "grep" | "bm25" | "search" | "pack";
          readonly at: readonly ({
            readonly budget: number;
            readonly recall: number;
            readonly files: number;
            readonly tokens: number;
          })[];
          readonly reciprocal_rank: number;
          readonly ndcg: number;
          readonly milliseconds: number;
          readonly given: readonly string[];
        })[];
      })[];
      readonly methods: readonly ({
        readonly method: "grep" | "bm25" | "search" | "pack";
        readonly budgets: readonly ({
          readonly budget: number;
          readonly recall: {
            readonly mean: number;
            readonly low: number;
            readonly high: number;
          };
          readonly files: number;
          readonly tokens: number;
          readonly recall_per_1000: number;
        })[];
        readonly mrr: number;
        readonly ndcg: number;
        readonly milliseconds: number;
      })[];
      readonly pack_compared: readonly ({
        readonly method: "grep" | "bm25" | "search" | "pack";
        readonly budget: number;
        /** Recall of the pack over recall of this method */
        readonly ratio: {
          readonly mean: number;
          readonly low: number;
          readonly high: number;
        };
      })[];
      /** Commits that are no tasks after all, by reason */
      readonly left_out?: readonly ({
        readonly reason: string;
        readonly commits: number;
      })[];
      readonly baseline?: readonly ({
        readonly method: "grep" | "bm25" | "search" | "pack";
        readonly budget: number;
        readonly tasks: number;
        readonly difference: {
          readonly mean: number;
          readonly low: number;
          readonly high: number;
        };
        readonly verdict: "better" | "worse" | "within chance";
      })[];
      /** The demands of fail_under that were not met */
      readonly below: readonly string[];
      readonly html?: string;
    } | null;
  }>;
  /** Measure how well packs and searches serve this repository: its own commits are the tasks, what they changed is the answer. Everything is read from git; the work tree is not touched. */
  evaluationRun(input?: {
    /** How many of the newest commits that are tasks */
    readonly commits?: number | undefined;
    /** Token budgets to measure at */
    readonly budget?: readonly string[] | undefined;
    /** What to compare: git grep by words, plain BM25, code search, packs */
    readonly against?: readonly ("grep" | "bm25" | "search" | "pack")[] | undefined;
    /** Directory of the project; default: the served one */
    readonly path?: string | undefined;
    /** Write a report with plots to this file */
    readonly html?: string | undefined;
    /** Exit with 1 if a figure of the pack is lower, such as recall@4000=.55 */
    readonly fail_under?: string | undefined;
    /** Compare with this earlier result, a file written with --json */
    readonly baseline?: string | undefined;
  }, options?: Options): Promise<{
    readonly head: string;
    readonly tasks: readonly ({
      readonly commit: string;
      readonly task: string;
      readonly functions: readonly string[];
      readonly files: readonly string[];
      readonly answers: readonly ({
        readonly method: "grep" | "bm25" | "search" | "pack";
        readonly at: readonly ({
          readonly budget: number;
          readonly recall: number;
          readonly files: number;
          readonly tokens: number;
        })[];
        readonly reciprocal_rank: number;
        readonly ndcg: number;
        readonly milliseconds: number;
        readonly given: readonly string[];
      })[];
    })[];
    readonly methods: readonly ({
      readonly method: "grep" | "bm25" | "search" | "pack";
      readonly budgets: readonly ({
        readonly budget: number;
        readonly recall: {
          readonly mean: number;
          readonly low: number;
          readonly high: number;
        };
        readonly files: number;
        readonly tokens: number;
        readonly recall_per_1000: number;
      })[];
      readonly mrr: number;
      readonly ndcg: number;
      readonly milliseconds: number;
    })[];
    readonly pack_compared: readonly ({
      readonly method: "grep" | "bm25" | "search" | "pack";
      readonly budget: number;
      /** Recall of the pack over recall of this method */
      readonly ratio: {
        readonly mean: number;
        readonly low: number;
        readonly high: number;
      };
    })[];
    /** Commits that are no tasks after all, by reason */
    readonly left_out?: readonly ({
      readonly reason: string;
      readonly commits: number;
    })[];
    readonly baseline?: readonly ({
      readonly method: "grep" | "bm25" | "search" | "pack";
      readonly budget: number;
      readonly tasks: number;
      readonly difference: {
        readonly mean: number;
        readonly low: number;
        readonly high: number;
      };
      readonly verdict: "better" | "worse" | "within chance";
    })[];
    /** The demands of fail_under that were not met */
    readonly below: readonly string[];
    readonly html?: string;
  }>;
  /** List the uses of a symbol, one line of code each, sure ones first; better than grep before a change. */
  findReferences(input: {
    /** A name, Type.method or path:line */
    readonly symbol: string;
    /** Directory or file */
    readonly path?: string | undefined;
    readonly kind?: readonly ("read" | "call" | "type" | "import" | "write" | "inherit" | "annotation")[] | undefined;
    readonly limit?: number | undefined;
  }, options?: Options): Promise<{
    readonly symbol: string;
    readonly definitions: readonly ({
      readonly name: string;
      readonly kind: string;
      readonly parent?: string;
      readonly path: string;
      readonly line: number;
      readonly end_line: number;
      readonly signature: string;
      readonly doc: string;
      readonly exported: boolean;
    })[];
    readonly files: readonly ({
      readonly path: string;
      readonly is_test: boolean;
      readonly references: readonly ({
        readonly line: number;
        readonly column: number;
        readonly kind: "read" | "call" | "type" | "import" | "write" | "inherit" | "annotation";
        readonly confidence: "resolved" | "probable" | "name only";
        readonly text: string;
      })[];
    })[];
    readonly total: number;
    readonly by_confidence: { readonly [key: string]: number };
    readonly by_kind: { readonly [key: string]: number };
    readonly files_changed: number;
  }>;
  /** Show the source of a symbol, or the candidates. */
  findSymbol(input: {
    /** A name, Type.method or path:line */
    readonly symbol: string;
    /** Directory or file */
    readonly path?: string | undefined;
  }, options?: Options): Promise<{
    readonly symbol: string;
    readonly definitions: readonly ({
      readonly name: string;
      readonly kind: string;
      readonly parent?: string;
      readonly path: string;
      readonly line: number;
      readonly end_line: number;
      readonly signature: string;
      readonly doc: string;
      readonly exported: boolean;
    })[];
    readonly total: number;
    readonly source?: string;
    readonly files_changed: number;
  }>;
  /** Tell whether a project is indexed, how much is in its index, and how far a run is that is under way. Use it when a search finds nothing or to decide whether to index. */
  getStatus(input?: {
    /** Absolute path to the project's root directory */
    readonly path?: string | undefined;
  }, options?: Options): Promise<{
    readonly success: boolean;
    readonly indexed: boolean;
    readonly project: {
      readonly id: number;
      readonly root_path: string;
      readonly module_name: string;
      readonly go_version: string;
      readonly index_version: string;
    } | null;
    readonly statistics: {
      readonly total_files: number;
      readonly total_symbols: number;
      readonly total_chunks: number;
      readonly total_embeddings: number;
      readonly index_size_mb: number;
      readonly last_indexed_at: string;
      readonly indexing_duration_seconds: number;
      readonly total_text_files: number;
    } | null;
    readonly health: {
      readonly database_accessible: boolean;
      readonly embeddings_available: boolean;
      readonly fts_indexes_built: boolean;
      readonly embedding_model?: string;
      readonly embedding_coverage?: readonly ({
        readonly model: string;
        readonly embedded: number;
      })[];
      readonly problems?: readonly string[];
    } | null;
    /** Progress of a run that is under way, in any process */
    readonly indexing?: {
      readonly pid: number;
      readonly started_at: string;
      readonly files_done: number;
      readonly files_total: number;
    };
    readonly message: string;
  }>;
  /** Index a codebase so that search_code can find its code by name and by meaning; run it once, and again after changes, when it only reads what changed. Returns how many files, symbols and chunks were indexed and which files could not be parsed. */
  indexCodebase(input?: {
    /** Absolute path to the project's root directory */
    readonly path?: string | undefined;
    /** Rebuild the index, ignoring file hashes */
    readonly force_reindex?: boolean | undefined;
    /** Include test files such as *_test.go */
    readonly include_tests?: boolean | undefined;
    /** Include vendor/ directories */
    readonly include_vendor?: boolean | undefined;
    /** Wait until the better model has embedded everything */
    readonly wait?: boolean | undefined;
  }, options?: Options): Promise<{
    readonly success: boolean;
    readonly project_id: number;
    readonly statistics: {
      readonly files_indexed: number;
      readonly files_skipped: number;
      readonly files_failed: number;
      readonly symbols_extracted: number;
      readonly chunks_created: number;
      readonly embeddings_generated: number;
      readonly duration_seconds: number;
      readonly index_size_mb: number;
      /** Files that left the project since the last run */
      readonly files_removed: number;
      /** Files in no known language, indexed as plain text */
      readonly text_files_indexed: number;
    };
    readonly errors: readonly ({
      readonly file: string;
      readonly error: string;
    })[];
    /** The configured model, if this call waited for it */
    readonly embedding?: {
      readonly model: string;
      /** Why it has not embedded everything; until then the quick model answers */
      readonly problem?: string;
    };
    readonly message: string;
  }>;
  /** List the project's directories with a one-line summary each and whether that description is fresh, stale or missing. Call it first to learn which scopes exist. */
  listContexts(input?: {
    /** Another project's root instead of the one this server serves */
    readonly path?: string | undefined;
  }, options?: Options): Promise<{
    readonly root: string;
    readonly total_directories: number;
    readonly skipped_directories: number;
    readonly tracked: number;
    readonly entries: readonly ({
      readonly scope: string;
      readonly state: "fresh" | "stale" | "missing";
      readonly has_context: boolean;
      readonly last_updated?: string;
      readonly summary?: string;
      /** For a stale context in git: whether the directory's files differ from when it was written */
      readonly content_changed?: boolean;
    })[];
    readonly error?: string;
  }>;
  /** Find duplicates, suspects, stale entries, secrets, instructions to agents and entries that nobody reads. */
  memoryAudit(input?: {
    /** Entries not written for this long are stale */
    readonly stale_days?: number | undefined;
    /** Only these kinds of findings */
    readonly only?: readonly string[] | undefined;
  }, options?: Options): Promise<{
    readonly findings: readonly ({
      readonly kind: string;
      readonly file: string;
      readonly detail: string;
    })[];
  }>;
  /** Print one decision. */
  memoryDecisionGet(input: {
    /** Id or title */
    readonly id: string;
  }, options?: Options): Promise<{
    readonly scope: "public" | "private" | "ephemeral";
    readonly author: string;
    readonly created_at?: string;
    readonly updated_at: string;
    readonly anchors?: readonly string[];
    readonly suspect?: true;
    readonly changed?: readonly ({
      readonly anchor: string;
      readonly change: "changed" | "missing";
    })[];
    readonly id: number;
    readonly key: string;
    readonly title: string;
    readonly date: string;
    readonly status: string;
    readonly context: string;
    readonly decision: string;
    readonly consequences: string;
  }>;
  /** List the decisions. */
  memoryDecisionList(input?: Readonly<Record<never, never>>, options?: Options): Promise<readonly ({
    readonly scope: "public" | "private" | "ephemeral";
    readonly author: string;
    readonly created_at?: string;
    readonly updated_at: string;
    readonly anchors?: readonly string[];
    readonly suspect?: true;
    readonly changed?: readonly ({
      readonly anchor: string;
      readonly change: "changed" | "missing";
    })[];
    readonly id: number;
    readonly key: string;
    readonly title: string;
    readonly date: string;
    readonly status: string;
    readonly context: string;
    readonly decision: string;
    readonly consequences: string;
  })[]>;
  /** Remove a decision. Its id is not used again. */
  memoryDecisionRm(input: {
    /** Id or title */
    readonly id: string;
  }, options?: Options): Promise<{
    readonly status: "removed" | "not_found";
    readonly did_you_mean?: string;
    readonly id: string;
  }>;
  /** Create the context store of this project. */
  memoryInit(input?: {
    /** Name of the project; default: the name of its directory */
    readonly name?: string | undefined;
    /** Address of its repository */
    readonly repo_url?: string | undefined;
    /** Let plain git merges in this clone merge the store's files as a pull does */
    readonly merge_driver?: boolean | undefined;
  }, options?: Options): Promise<{
    readonly status: "ok";
    readonly name: string;
    readonly directory: string;
    readonly merge_driver?: string;
  }>;
  /** Print one knowledge entry. */
  memoryKnowledgeGet(input: {
    /** Key of the entry */
    readonly key: string;
  }, options?: Options): Promise<{
    readonly key: string;
    readonly content: string;
    readonly scope: "public" | "private" | "ephemeral";
    readonly author?: string;
    readonly created_at?: string;
    readonly updated_at: string;
    readonly anchors?: readonly string[];
    readonly suspect?: true;
    readonly changed?: readonly ({
      readonly anchor: string;
      readonly change: "changed" | "missing";
    })[];
  }>;
  /** List the knowledge entries with their scopes. */
  memoryKnowledgeList(input?: Readonly<Record<never, never>>, options?: Options): Promise<readonly ({
    readonly key: string;
    readonly content: string;
    readonly scope: "public" | "private" | "ephemeral";
    readonly author?: string;
    readonly created_at?: string;
    readonly updated_at: string;
    readonly anchors?: readonly string[];
    readonly suspect?: true;
    readonly changed?: readonly ({
      readonly anchor: string;
      readonly change: "changed" | "missing";
    })[];
  })[]>;
  /** Merge one file of the store as a pull does. Git calls it with three versions and the path. */
  memoryMergeDriver(input: {
    /** File with the common ancestor's version */
    readonly base: string;
    /** File with our version; the result is written here */
    readonly ours: string;
    /** File with their version */
    readonly theirs: string;
    /** Path in the repository */
    readonly path?: string | undefined;
  }, options?: Options): Promise<{
    readonly merged: boolean;
  }>;
  /** Show what a push of the team's memory would publish. Nothing is written. */
  memoryPushPlan(input?: Readonly<Record<never, never>>, options?: Options): Promise<{
    /** Remote and branch; null: there is no remote, so a push only commits */
    readonly target: unknown;
    readonly files: readonly ({
      readonly path: string;
      readonly change: "added" | "changed" | "removed";
    })[];
  }>;
  /** Print one session. */
  memorySessionGet(input: {
    /** The session's id, or the start of it */
    readonly id: string;
  }, options?: Options): Promise<MemorySessionGetOutput>;
  /** List the last sessions, oldest first. */
  memorySessionList(input?: {
    /** Most sessions to list */
    readonly limit?: number | undefined;
  }, options?: Options): Promise<MemorySessionListOutput>;
  /** Remove one session from the history. */
  memorySessionRm(input: {
    /** The session's id, or the start of it */
    readonly id: string;
  }, options?: Options): Promise<{
    readonly status: "removed";
    readonly id: string;
  }>;
  /** Accept or reject a proposal for a skill. Refused without --force if the skill changed since. */
  memorySkillApplyProposal(input: {
    /** Name of the skill */
    readonly skill_name: string;
    /** The proposal's id, or enough of its beginning */
    readonly id: string;
    /** Reject it */
    readonly reject?: boolean | undefined;
    /** Accept it even if the skill has changed since */
    readonly force?: boolean | undefined;
  }, options?: Options): Promise<{
    readonly status: "accepted" | "rejected";
    readonly proposal_id: string;
    readonly skill_name: string;
  }>;
  /** Print a skill's SKILL.md. */
  memorySkillGet(input: {
    /** Name of the skill */
    readonly name: string;
  }, options?: Options): Promise<{
    readonly scope: "public" | "private" | "ephemeral";
    readonly author?: string;
    readonly created_at?: string;
    readonly updated_at: string;
    readonly anchors?: readonly string[];
    readonly suspect?: true;
    readonly changed?: readonly ({
      readonly anchor: string;
      readonly change: "changed" | "missing";
    })[];
    readonly name: string;
    readonly description: string;
    readonly content: string;
    readonly mismatch?: true;
  }>;
  /** List the skills. */
  memorySkillList(input?: Readonly<Record<never, never>>, options?: Options): Promise<readonly ({
    readonly scope: "public" | "private" | "ephemeral";
    readonly author?: string;
    readonly created_at?: string;
    readonly updated_at: string;
    readonly anchors?: readonly string[];
    readonly suspect?: true;
    readonly changed?: readonly ({
      readonly anchor: string;
      readonly change: "changed" | "missing";
    })[];
    readonly name: string;
    readonly description: string;
    readonly content: string;
    readonly mismatch?: true;
  })[]>;
  /** The skills that need attention, with the last comments on each. */
  memorySkillReview(input?: Readonly<Record<never, never>>, options?: Options): Promise<readonly ({
    readonly skill: string;
    readonly usage_count: number;
    readonly avg_rating: unknown;
    readonly rating_count: number;
    readonly last_used: unknown;
    readonly needs_attention: boolean;
    readonly comments: readonly string[];
  })[]>;
  /** How often each skill is used and how it is rated. */
  memorySkillStats(input?: {
    /** Order of the list */
    readonly sort?: "name" | "usage" | "rating" | undefined;
  }, options?: Options): Promise<readonly ({
    readonly skill: string;
    readonly usage_count: number;
    readonly avg_rating: unknown;
    readonly rating_count: number;
    readonly last_used: unknown;
    readonly needs_attention: boolean;
  })[]>;
  /** Print what is being worked on here. */
  memoryStateGet(input?: Readonly<Record<never, never>>, options?: Options): Promise<MemoryStateGetOutput>;
  /** Forget the current task and remove every ephemeral entry. */
  memoryStateRm(input?: Readonly<Record<never, never>>, options?: Options): Promise<{
    readonly status: "ok";
    readonly removed: readonly string[];
  }>;
  /** What the context store holds, and what in it cannot be read. */
  memoryStatus(input?: Readonly<Record<never, never>>, options?: Options): Promise<{
    readonly initialised: boolean;
    readonly project: string;
    readonly problems: readonly string[];
  }>;
  /** List the symbols of a file or directory. */
  outline(input?: {
    /** Directory or file */
    readonly path?: string | undefined;
    /** Tokens */
    readonly budget?: number | undefined;
  }, options?: Options): Promise<{
    readonly path: string;
    readonly files: readonly ({
      readonly path: string;
      readonly symbols: readonly ({
        readonly name: string;
        readonly kind: string;
        readonly parent?: string;
        readonly path: string;
        readonly line: number;
        readonly end_line: number;
        readonly signature: string;
        readonly doc: string;
        readonly exported: boolean;
      })[];
      readonly more: number;
    })[];
    readonly more_files: number;
    readonly files_changed: number;
  }>;
  /** Build a pack again and show whether it is the same or what changed. */
  packVerify(input: {
    /** The id in the second line of a pack */
    readonly pack_id: string;
    /** Directory of the project; default: the served one */
    readonly path?: string | undefined;
  }, options?: Options): Promise<{
    readonly pack_id: string;
    readonly same: boolean;
    readonly pack_id_now: string;
    readonly rooms_changed: readonly string[];
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly changed: readonly string[];
  }>;
  /** Register a repository of the team: workers index it, servers search it */
  projectsAdd(input: {
    /** An address that git can clone */
    readonly url: string;
    /** Default: the last two parts of the address */
    readonly name?: string | undefined;
    /** Default: the remote's own default */
    readonly branch?: string | undefined;
    /** For grants to several projects at once */
    readonly group?: string | undefined;
    /** The team's database, postgres://HOST/NAME; default: CONTEXTFUL_DATABASE */
    readonly database?: string | undefined;
  }, options?: Options): Promise<{
    readonly name: string;
  }>;
  /** List the team's repositories, what is published of each, and what failed */
  projectsList(input?: {
    /** The team's database, postgres://HOST/NAME; default: CONTEXTFUL_DATABASE */
    readonly database?: string | undefined;
  }, options?: Options): Promise<{
    readonly projects: readonly ({
      readonly name: string;
      readonly url: string;
      /** null: the remote's default branch */
      readonly branch: unknown;
      readonly group: unknown;
      /** What servers answer from; null until the first index */
      readonly commit: unknown;
      readonly published_at: unknown;
      /** When a worker last asked the remote */
      readonly checked_at: unknown;
      /** A push or a person asked for an index that is not there yet */
      readonly waiting: boolean;
      /** Why the last attempt failed */
      readonly failure: unknown;
    })[];
  }>;
  /** Take a repository out of the team's index, with its grants */
  projectsRemove(input: {
    /** The project's name */
    readonly name: string;
    /** The team's database, postgres://HOST/NAME; default: CONTEXTFUL_DATABASE */
    readonly database?: string | undefined;
  }, options?: Options): Promise<{
    readonly name: string;
  }>;
  /** Read what one directory is for: summary, exports, decisions, constraints, dependencies and more. Name fields in filter to get only those beside the metadata. */
  queryContext(input: {
    /** Directory relative to the project root, such as "src/core"; "." is the root itself */
    readonly scope: string;
    /** Fields to include: summary, files, interfaces, decisions, constraints, dependencies, current_state, subdirectories, environment, testing, todos, data_models, events, config, project, structure, maintenance, exports */
    readonly filter?: readonly string[] | undefined;
    /** Another project's root instead of the one this server serves */
    readonly path?: string | undefined;
    /** Also say if files have changed since it was written */
    readonly check?: boolean | undefined;
  }, options?: Options): Promise<{
    readonly found: boolean;
    readonly scope: string;
    readonly context?: { readonly [key: string]: unknown };
    readonly error?: string;
  }>;
  /** Find code in an indexed project by symbol name or by what it does; use it before reading files or grepping. Returns whole symbols, best first, with path, lines, signature and source. */
  searchCode(input: {
    /** Absolute path to the project's root directory */
    readonly path?: string | undefined;
    /** Words, a symbol's name, or a question in plain language */
    readonly query: string;
    /** Most results to return (1-100) */
    readonly limit?: number | undefined;
    /** Narrow the search before it ranks */
    readonly filters?: {
      /** Only these kinds of symbols; a class counts as struct, a trait as interface, an enum as type */
      readonly symbol_types?: readonly ("function" | "method" | "struct" | "interface" | "type" | "const" | "var")[] | undefined;
      /** Only files whose path matches this glob, such as internal/** */
      readonly file_pattern?: string | undefined;
      /** Only types named after these patterns */
      readonly ddd_patterns?: readonly ("aggregate" | "entity" | "value_object" | "repository" | "service" | "command" | "query" | "handler")[] | undefined;
      /** Only these packages: a directory, a package name or an import path */
      readonly packages?: readonly string[] | undefined;
      /** Least relevance_score of a result */
      readonly min_relevance?: number | undefined;
    } | undefined;
    /** hybrid ranks by words and meaning, keyword by words alone, vector by meaning alone */
    readonly search_mode?: "hybrid" | "vector" | "keyword" | undefined;
    /** Only this kind of symbol: function, method, struct, interface, type, const, var, class, enum, module, macro, annotation, property */
    readonly kind?: readonly ("function" | "method" | "struct" | "interface" | "type" | "const" | "var" | "class" | "enum" | "module" | "macro" | "annotation" | "property")[] | undefined;
    /** Tell why each hit is where it is */
    readonly explain?: boolean | undefined;
    /** Find lines with this text or regular expression */
    readonly match?: "literal" | "regex" | undefined;
    /** If the project is not indexed: fail, answer from what is there, answer from some files at once, or wait for the index */
    readonly on_missing?: "fail" | "answer" | "preview" | "wait" | undefined;
  }, options?: Options): Promise<{
    readonly success: boolean;
    readonly query: string;
    readonly results: readonly ({
      readonly chunk_id: number;
      readonly rank: number;
      readonly relevance_score: number;
      readonly symbol: {
        readonly name: string;
        readonly kind: string;
        readonly package: string;
        readonly signature: string;
        readonly doc_comment: string;
        /** The type a method belongs to */
        readonly parent?: string;
        readonly ddd_patterns?: readonly string[];
      };
      readonly file: {
        readonly path: string;
        readonly package: string;
        readonly start_line: number;
        readonly end_line: number;
        readonly language: string;
      };
      readonly content: string;
      readonly context_before: string;
      readonly context_after: string;
      /** false: the file or its package has changed since it was indexed */
      readonly fresh?: boolean;
      /** The lines that match, if lines were asked for */
      readonly matches?: readonly ({
        readonly line: number;
        readonly text: string;
      })[];
      readonly explanation?: {
        /** Place in the list by words, from 1 */
        readonly keyword_rank?: number;
        /** Place in the list by meaning, from 1 */
        readonly vector_rank?: number;
        /** true: its name is exactly the query */
        readonly exact_name?: boolean;
        /** The sum of the bonuses times the factors; comparable within one answer */
        readonly score: number;
        readonly steps: readonly ({
          readonly step: string;
          readonly bonus?: number;
          readonly factor?: number;
        })[];
      };
    })[];
    readonly statistics: {
      readonly total_results: number;
      readonly returned_results: number;
      readonly search_duration_ms: number;
      readonly cache_hit: boolean;
      /** How many files of the project changed, appeared or went since they were indexed; 0: up to date */
      readonly files_changed: number;
      /** The model whose vectors ranked the results */
      readonly model?: string;
    };
    /** true: a new index is being built; this answer is from the last one, or from the text of files */
    readonly indexing?: boolean;
    /** Why the search used words only, only names and text of files, or another model than the configured one */
    readonly degraded?: string;
    /** The query is a name that no symbol has, and the names closest to it */
    readonly unknown_name?: {
      readonly name: string;
      readonly nearest: readonly string[];
    };
    readonly message: string;
    /** How many invisible characters and secrets were removed from this answer */
    readonly cleaned?: {
      readonly invisible: number;
      readonly secrets: number;
    };
    /** The project, if it should be indexed for better answers */
    readonly index_first?: string;
  }>;
  /** Check the team's database: projects, workers, tokens, blocks */
  teamDoctor(input?: {
    /** The team's database, postgres://HOST/NAME; default: CONTEXTFUL_DATABASE */
    readonly database?: string | undefined;
  }, options?: Options): Promise<{
    readonly findings: readonly ({
      readonly name: string;
      readonly state: "ok" | "note" | "problem";
      readonly detail: string;
    })[];
  }>;
  /** Give a token a role for a project, a group or everything; none takes it away */
  teamGrant(input: {
    /** The token's name */
    readonly token: string;
    /** read, publish, admin (each includes the ones before it) or none */
    readonly role: "read" | "publish" | "admin" | "none";
    /** The project's name */
    readonly project?: string | undefined;
    /** All projects of this group, also later ones */
    readonly group?: string | undefined;
    /** The team's database, postgres://HOST/NAME; default: CONTEXTFUL_DATABASE */
    readonly database?: string | undefined;
  }, options?: Options): Promise<{
    readonly token: string;
    readonly role: string;
    readonly scope: string;
    /** How many projects that is now */
    readonly projects: number;
  }>;
  /** Keep your access token of the team's server, in a file that only you can read */
  teamLogin(input: {
    /** The server's address, https://HOST */
    readonly url: string;
    /** A file with the token; on a command line others would see it */
    readonly token_file: string;
  }, options?: Options): Promise<{
    readonly url: string;
    readonly projects: number;
    readonly is_configured: boolean;
  }>;
  /** Make a token for a person or a program, and show it once; it sees nothing before team grant */
  teamTokensAdd(input: {
    /** The token's name */
    readonly name: string;
    /** Days until it expires; default: never */
    readonly days?: number | undefined;
    /** Most calls a minute on each server */
    readonly calls_per_minute?: number | undefined;
    /** The team's database, postgres://HOST/NAME; default: CONTEXTFUL_DATABASE */
    readonly database?: string | undefined;
  }, options?: Options): Promise<{
    readonly name: string;
    readonly token: string;
  }>;
  /** List the tokens with their grants, expiry and last use */
  teamTokensList(input?: {
    /** The team's database, postgres://HOST/NAME; default: CONTEXTFUL_DATABASE */
    readonly database?: string | undefined;
  }, options?: Options): Promise<{
    readonly tokens: readonly ({
      readonly name: string;
      readonly created_at: string;
      readonly expires_at: unknown;
      readonly revoked_at: unknown;
      readonly last_used_at: unknown;
      readonly calls_per_minute: number;
      readonly grants: readonly ({
        readonly scope: string;
        readonly role: "read" | "publish" | "admin";
      })[];
    })[];
  }>;
  /** Revoke a token; servers refuse it within a second */
  teamTokensRevoke(input: {
    /** The token's name */
    readonly name: string;
    /** The team's database, postgres://HOST/NAME; default: CONTEXTFUL_DATABASE */
    readonly database?: string | undefined;
  }, options?: Options): Promise<{
    readonly name: string;
  }>;
}
type CallGraphOutputschema0 = {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly at?: number;
  readonly confidence?: "resolved" | "probable" | "name only";
  readonly text: string;
  readonly is_repeated?: boolean;
  readonly more?: number;
  readonly calls: readonly CallGraphOutputschema0[];
};

type ContextGetOutput = string | number | boolean | null | readonly ContextGetOutput[] | { readonly [key: string]: ContextGetOutput };

type MemorySessionGetOutput = string | number | boolean | null | readonly MemorySessionGetOutput[] | { readonly [key: string]: MemorySessionGetOutput };

type MemorySessionListOutput = string | number | boolean | null | readonly MemorySessionListOutput[] | { readonly [key: string]: MemorySessionListOutput };

type MemoryStateGetOutput = string | number | boolean | null | readonly MemoryStateGetOutput[] | { readonly [key: string]: MemoryStateGetOutput };
