import { z } from "zod";
import { escapeControl } from "../../../core/hygiene/index.ts";
import type { Logger } from "../../../core/logger.ts";
import type { AuditEntry, TeamDatabase } from "../database/team-database.ts";

const MAX_KINDS = 1_000;
const MAX_TARGET = 200;

/**
 * Denied calls and used tokens, written together every second or so. Equal denials become one row with a count: a client
 * that knocks all day cannot fill the table or slow other calls. While the database is away they are kept.
 */
export class AuditBuffer {
  readonly #database: TeamDatabase;
  readonly #logger: Logger;
  #denied = new Map<string, AuditEntry & { times: number }>();
  #used = new Set<string>();

  constructor(database: TeamDatabase, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  denied(entry: Omit<AuditEntry, "outcome" | "times">): void {
    // A character that the database does not take would keep every other entry from being written.
    const target = escapeControl(entry.target.slice(0, MAX_TARGET));
    const isFull = this.#denied.size >= MAX_KINDS;
    const kept = isFull
      ? { actor: "various", action: entry.action, target: "", address: "" }
      : { ...entry, target };
    const key = JSON.stringify(kept);
    const known = this.#denied.get(key);
    if (known) known.times += 1;
    else this.#denied.set(key, { ...kept, outcome: "denied", times: 1 });
  }

  used(token: string): void {
    this.#used.add(token);
  }

  async flush(): Promise<void> {
    const [denied, used] = [this.#denied, this.#used];
    if (denied.size + used.size === 0) return;
    this.#denied = new Map();
    this.#used = new Set();
    try {
      if (denied.size > 0) await this.#database.audit([...denied.values()]);
      denied.clear();
      await this.#database.rows(
        z.unknown(),
        `UPDATE contextful_team.tokens SET last_used_at = now()
         WHERE id = ANY($1) AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
        [[...used]],
      );
    } catch (thrown) {
      for (const [key, entry] of denied) {
        const newer = this.#denied.get(key);
        if (newer) newer.times += entry.times;
        else if (this.#denied.size < MAX_KINDS) this.#denied.set(key, entry);
      }
      for (const token of used) this.#used.add(token);
      this.#logger.warn(`the audit is kept until the database answers: ${String(thrown)}`);
    }
  }
}
