import { describe, expect, test } from "vitest";
import { findSecrets, redactSecrets } from "./index.ts";
import { SECRET_RULES } from "./secret-rules.ts";

/** Made up at run time, so that no scanner finds a key in this repository. */
function made(length: number, alphabet = "aB3dE5gH7jK9mN2pQ4sT6vW8yZ"): string {
  let state = 7;
  return Array.from({ length }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return alphabet[Math.floor(state / 65536) % alphabet.length] ?? "";
  }).join("");
}
const hex = (length: number) => made(length, "0123456789abcdef");
const upper = (length: number) => made(length, "ABCDEFGHJKLMNPQRSTUVWXYZ234567");
const kinds = (text: string) => findSecrets(text).map(({ kind }) => kind);

const REAL: readonly (readonly [kind: string, text: string])[] = [
  ["aws access key", `AKIA${upper(16)}`],
  ["aws temporary access key", `ASIA${upper(16)}`],
  ["aws bedrock key", `ABSK${made(110)}`],
  ["aws secret key", `aws_secret_access_key = ${made(40)}`],
  ["github personal token", `ghp_${made(36)}`],
  ["github oauth token", `gho_${made(36)}`],
  ["github user token", `ghu_${made(36)}`],
  ["github app token", `ghs_${made(36)}`],
  ["github refresh token", `ghr_${made(36)}`],
  ["github fine-grained token", `github_pat_${made(82)}`],
  ["gitlab personal token", `glpat-${made(20)}`],
  ["gitlab deploy token", `gldt-${made(20)}`],
  ["gitlab runner token", `glrt-${made(20)}`],
  ["gitlab trigger token", `glptt-${hex(40)}`],
  ["slack token", `xoxb-${made(30)}`],
  ["slack app token", `xapp-1-${upper(11)}-${made(12, "123456789")}-${hex(64)}`],
  ["slack webhook", `https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${made(24)}`],
  ["stripe live key", `sk_live_${made(24)}`],
  ["stripe test key", `rk_test_${made(24)}`],
  ["stripe webhook secret", `whsec_${made(32)}`],
  ["npm token", `npm_${made(36)}`],
  ["pypi token", `pypi-AgE${made(80)}`],
  ["rubygems key", `rubygems_${hex(48)}`],
  ["crates.io token", `cio${made(32)}`],
  ["nuget key", `oy2${made(43, "abcdefghij234567")}`],
  ["docker hub token", `dckr_pat_${made(27)}`],
  ["anthropic key", `sk-ant-api03-${made(93)}`],
  ["openrouter key", `sk-or-v1-${hex(64)}`],
  ["openai project key", `sk-proj-${made(60)}`],
  ["openai key", `sk-${made(20)}T3BlbkFJ${made(20)}`],
  ["google api key", `AIza${made(35)}`],
  ["google oauth secret", `GOCSPX-${made(28)}`],
  ["google access token", `ya29.${made(60)}`],
  ["hugging face token", `hf_${made(34)}`],
  ["groq key", `gsk_${made(52)}`],
  ["xai key", `xai-${made(80)}`],
  ["perplexity key", `pplx-${made(48)}`],
  ["replicate token", `r8_${made(37)}`],
  ["sendgrid key", `SG.${made(22)}.${made(43)}`],
  ["mailgun key", `key-${hex(32)}`],
  ["mailchimp key", `${hex(32)}-us12`],
  ["twilio key", `SK${hex(32)}`],
  ["telegram bot token", `${made(9, "23456789")}:AA${made(33)}`],
  ["discord webhook", `https://discord.com/api/webhooks/${made(18, "123456789")}/${made(68)}`],
  ["digitalocean token", `dop_v1_${hex(64)}`],
  ["heroku key", `HRKU-${made(36)}`],
  ["linear key", `lin_api_${made(40)}`],
  ["notion token", `ntn_${made(46)}`],
  ["figma token", `figd_${made(40)}`],
  ["airtable token", `pat${made(14)}.${hex(64)}`],
  ["atlassian token", `ATATT3${made(180)}`],
  ["bitbucket token", `ATBB${made(32)}`],
  ["new relic key", `NRAK-${upper(27)}`],
  ["sentry token", `sntrys_${made(60)}`],
  ["grafana token", `glsa_${made(32)}_${hex(8)}`],
  ["postman key", `PMAK-${hex(24)}-${hex(34)}`],
  ["shopify token", `shpat_${hex(32)}`],
  ["square token", `sq0atp-${made(22)}`],
  ["vault token", `hvs.${made(90)}`],
  ["terraform token", `${made(14)}.atlasv1.${made(67)}`],
  ["pulumi token", `pul-${hex(40)}`],
  ["databricks token", `dapi${hex(32)}`],
  ["supabase token", `sbp_${hex(40)}`],
  ["planetscale token", `pscale_tkn_${made(43)}`],
  ["netlify token", `nfp_${made(36)}`],
  ["doppler token", `dp.pt.${made(43)}`],
  ["age key", `AGE-SECRET-KEY-1${upper(58)}`],
  ["azure storage key", `AccountName=a;AccountKey=${made(86)}==;`],
  ["azure shared access signature", `https://a.blob.core.windows.net/x?sv=1&sig=${made(50)}`],
  ["json web token", `eyJ${made(30)}.eyJ${made(60)}.${made(43)}`],
  ["private key", `-----BEGIN RSA PRIVATE KEY-----\n${made(64)}\n${made(64)}\n-----END RSA PRIVATE KEY-----`],
  ["private key", `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${made(64)}\n${made(64)}`],
  ["private key", `"key": "-----BEGIN PRIVATE KEY-----\\n${made(64)}\\n-----END PRIVATE KEY-----\\n"`],
  ["password in a url", `postgres://app:${made(14)}@db.internal:5432/app`],
  ["password in a url", `redis://:${made(12)}@cache:6379`],
  ["authorization header", `curl -H "Authorization: Bearer ${made(40)}"`],
  ["password", `const dbPassword = "${made(16)}";`],
  ["password", `"api_key": "${hex(32)}"`],
  ["password", `DATABASE_PASSWORD=${made(18)}`],
  ["password", `  password: ${made(18)}`],
];

test.each(REAL)("finds a %s", (kind, text) => {
  expect(kinds(`before\n${text}\nafter`)).toEqual([kind]);
});

test("every rule of the table is tried above", () => {
  const tried = new Set(REAL.map(([kind]) => kind));
  expect(SECRET_RULES.filter(({ kind }) => !tried.has(kind))).toEqual([]);
});

test.each([
  ["the key of the vendor's documentation", "AKIAIOSFODNN7EXAMPLE"],
  ["a stand-in", 'password = "your-password-here1"'],
  ["a repeated letter", `ghp_${"x".repeat(36)}`],
  ["an environment variable", ['password: "$', '{DB_PASSWORD_1}"'].join("")],
  ["a template", 'api_key = "{{ secrets.KEY1 }}"'],
  ["a uuid", `token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"`],
  ["a digest", `sha256 = "${hex(64)}"`],
  ["a commit", `commit ${hex(40)}`],
  ["an integrity value of a lock file", `"integrity": "sha512-${made(86)}=="`],
  ["a checksum of go.sum", `example.org/x v1.0.0 h1:${made(43)}=`],
  ["a name of a secret", 'secret: "tls-secret-v2"'],
  ["a type", "password: string; token: AccessToken2Response"],
  ["a call", "const token = readToken(process.argv[2])"],
  ["a label", 'label: "Password", token: "access_token"'],
  ["a url without password", "https://example.org:8080/a@b"],
  ["a url with a well-known password", "postgres://postgres:postgres@localhost:5432/test"],
  ["a parser of private keys", 'if (line === "-----BEGIN PRIVATE KEY-----") return parse(rest);'],
  ["prose", "The token is sent as a header; passwords are hashed with argon2id, see RFC 9106."],
])("%s is no secret", (_case, text) => {
  expect(kinds(text)).toEqual([]);
});

test("redaction keeps the lines and all that is not secret", () => {
  const key = `-----BEGIN PRIVATE KEY-----\r\n${made(64)}\r\n${made(64)}\r\n-----END PRIVATE KEY-----`;
  const text = `a\n${key}\nurl = "postgres://app:${made(14)}@db/x" # ${`ghp_${made(36)}`}\nz`;
  expect(redactSecrets(text)).toEqual({
    text: 'a\n[redacted: private key]\r\n\r\n\r\n\nurl = "postgres://app:[redacted: password in a url]@db/x" # [redacted: github personal token]\nz',
    found: [
      { kind: "private key", line: 2 },
      { kind: "password in a url", line: 6 },
      { kind: "github personal token", line: 6 },
    ],
  });
});

test("a redacted text has no secrets left", () => {
  const all = REAL.map(([, text]) => text).join("\n\n");
  expect(kinds(redactSecrets(all).text)).toEqual([]);
});

describe("a megabyte of hostile text ends", () => {
  const anchors = SECRET_RULES.map(({ anchor }) => anchor);
  test.each([
    ...anchors,
    "-----BEGIN PRIVATE KEY-----\n",
    "aws secret ",
    "password = '",
    "authorization: bearer ",
    "a://b:",
    "PASSWORD=",
    "a".repeat(50),
    "eyJaaaaaaaaaaaa.",
    "- ",
  ])("%j repeated", (part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    expect(findSecrets(text).length).toBeGreaterThanOrEqual(0);
  });
});
