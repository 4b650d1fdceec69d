import { z } from "zod";

/** Each includes the ones before it. */
export const ROLES = ["read", "publish", "admin"] as const;
export type TeamRole = (typeof ROLES)[number];

export const ListedToken = z.object({
  name: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  calls_per_minute: z.int(),
  grants: z.array(z.object({ scope: z.string(), role: z.enum(ROLES) })),
});
export type ListedToken = z.output<typeof ListedToken>;

export const RegisteredProject = z.object({
  name: z.string(),
  url: z.string(),
  branch: z.string().nullable().describe("null: the remote's default branch"),
  group: z.string().nullable(),
  commit: z.string().nullable().describe("What servers answer from; null until the first index"),
  published_at: z.string().nullable(),
  checked_at: z.string().nullable().describe("When a worker last asked the remote"),
  waiting: z.boolean().describe("A push or a person asked for an index that is not there yet"),
  failure: z.string().nullable().describe("Why the last attempt failed"),
});
export type RegisteredProject = z.output<typeof RegisteredProject>;
