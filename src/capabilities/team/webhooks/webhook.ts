import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { parseJson } from "../../../core/json.ts";

/** What a forge tells about a push: the addresses of the repository. `undefined`: its signature is wrong. */
type WebhookNews = { readonly addresses: readonly string[] } | undefined;

interface WebhookForge {
  /** The header with the signature, or with the secret itself. */
  readonly header: string;
  isSigned(given: string, body: Uint8Array, secret: string): boolean;
}

const hexHmac = (body: Uint8Array, secret: string) => createHmac("sha256", secret).update(body).digest("hex");

/** One row for each forge. Gitea and its forks also send GitHub's header, so the order does not matter. */
const FORGES: readonly WebhookForge[] = [
  {
    header: "x-hub-signature-256",
    isSigned: (given, body, secret) => isSame(given, `sha256=${hexHmac(body, secret)}`),
  },
  { header: "x-gitea-signature", isSigned: (given, body, secret) => isSame(given, hexHmac(body, secret)) },
  { header: "x-gitlab-token", isSigned: (given, _body, secret) => isSame(given, secret) },
];

/** Compares hashes of both: their lengths may differ, and the time must not tell where. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHmac("sha256", "webhook").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

const text = z.string().max(2_000).optional().catch(undefined);
/** GitHub and Gitea say `repository`, GitLab `project` too. */
const Payload = z.object({
  repository: z
    .object({ clone_url: text, ssh_url: text, html_url: text, git_http_url: text, git_ssh_url: text })
    .optional()
    .catch(undefined),
  project: z.object({ git_http_url: text, git_ssh_url: text, web_url: text }).optional().catch(undefined),
});

/** Reads a webhook of GitHub, GitLab or Gitea. Only what is signed is parsed. */
export function readWebhook(headers: Headers, body: Uint8Array, secret: string): WebhookNews {
  const isSigned = FORGES.some(({ header, isSigned }) => {
    const given = headers.get(header);
    return given !== null && isSigned(given, body, secret);
  });
  if (!isSigned) return undefined;
  const parsed = Payload.safeParse(parseJson(Buffer.from(body).toString("utf8")));
  if (!parsed.success) return { addresses: [] };
  const { repository = {}, project = {} } = parsed.data;
  return {
    addresses: [...Object.values(repository), ...Object.values(project)].flatMap((each) => each ?? []),
  };
}
