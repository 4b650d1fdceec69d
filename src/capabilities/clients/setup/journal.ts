import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { DomainError, errnoOf } from "../../../core/errors.ts";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import { CLIENT_IDS } from "../client.ts";

const JournalRecord = z.object({
  /** The real file that was written. */
  file: z.string(),
  client: z.enum(CLIENT_IDS),
  scope: z.enum(["project", "user"]),
  /** The project that was set up. */
  root: z.string(),
  /** The bytes before our first write, in base64; null if there was no file. */
  before: z.string().nullable(),
  /** Hashes of everything we wrote there, or were about to write. */
  after: z.array(z.string()),
  /** Directories we created for it, innermost first. */
  made: z.array(z.string()),
  /** Somebody changed the file between two of our writes, so the first bytes cannot simply be restored. */
  mixed: z.boolean(),
});
export type JournalRecord = z.infer<typeof JournalRecord>;

/** The bytes before our first write; `undefined` if there was no file. */
export const firstBytes = ({ before }: JournalRecord): Buffer | undefined =>
  before === null ? undefined : Buffer.from(before, "base64");

const Journal = z.object({ version: z.literal(1), files: z.array(JournalRecord) });

/** What setup wrote and what was there before, for undo. It may contain secrets of the user's files. */
export interface Journal {
  read(): JournalRecord[];
  write(files: readonly JournalRecord[]): Promise<void>;
}

export function openJournal(home: string): Journal {
  const file = join(home, "clients", "journal.json");
  return {
    read() {
      try {
        return Journal.parse(JSON.parse(readFileSync(file, "utf8"))).files;
      } catch (thrown) {
        if (errnoOf(thrown) === "ENOENT") return [];
        throw new DomainError(
          "unavailable",
          `The journal of setup cannot be read: ${file}. Move it away to start again.`,
          {
            cause: thrown,
          },
        );
      }
    },
    write: (files) => writeFileAtomic(file, `${JSON.stringify({ version: 1, files })}\n`, 0o600),
  };
}
