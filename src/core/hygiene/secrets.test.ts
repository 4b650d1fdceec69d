import { describe, expect, test } from "vitest";
import { madeUp, madeUpCapitals, madeUpHex } from "../../../tests/support/made-up.ts";
import { findSecrets, redactSecrets } from "./index.ts";
import { SECRET_RULES } from "./secret-rules.ts";

const kinds = (text: string) => findSecrets(text).map(({ kind }) => kind);

const REAL: readonly (readonly [kind: string, text: string])[] = [
  ["aws access key", `AKIA${madeUpCapitals(16)}`],
  ["aws temporary access key", `ASIA${madeUpCapitals(16)}`],
  ["aws bedrock key", `ABSK${madeUp(110)}`],
  ["aws secret key", `aws_secret_access_key = ${madeUp(40)}`],
  ["github personal token", `ghp_${madeUp(36)}`],
  ["github oauth token", `gho_${madeUp(36)}`],
  ["github user token", `ghu_${madeUp(36)}`],
  ["github app token", `ghs_${madeUp(36)}`],
  ["github refresh token", `ghr_${madeUp(36)}`],
  ["github fine-grained token", `github_pat_${madeUp(82)}`],
  ["gitlab personal token", `glpat-${madeUp(20)}`],
  ["gitlab deploy token", `gldt-${madeUp(20)}`],
  ["gitlab runner token", `glrt-${madeUp(20)}`],
  ["gitlab trigger token", `glptt-${madeUpHex(40)}`],
  ["slack token", `xoxb-${madeUp(30)}`],
  ["slack app token", `xapp-1-${madeUpCapitals(11)}-${madeUp(12, "123456789")}-${madeUpHex(64)}`],
  [
    "slack webhook",
    `https://hooks.slack.com/services/T${madeUpCapitals(8)}/B${madeUpCapitals(8)}/${madeUp(24)}`,
  ],
  ["stripe live key", `sk_live_${madeUp(24)}`],
  ["stripe test key", `rk_test_${madeUp(24)}`],
  ["stripe webhook secret", `whsec_${madeUp(32)}`],
  ["npm token", `npm_${madeUp(36)}`],
  ["pypi token", `pypi-AgE${madeUp(80)}`],
  ["rubygems key", `rubygems_${madeUpHex(48)}`],
  ["crates.io token", `cio${madeUp(32)}`],
  ["nuget key", `oy2${madeUp(43, "abcdefghij234567")}`],
  ["docker hub token", `dckr_pat_${madeUp(27)}`],
  ["anthropic key", `sk-ant-api03-${madeUp(93)}`],
  ["openrouter key", `sk-or-v1-${madeUpHex(64)}`],
  ["openai project key", `sk-proj-${madeUp(60)}`],
  ["openai key", `sk-${madeUp(20)}T3BlbkFJ${madeUp(20)}`],
  ["google api key", `AIza${madeUp(35)}`],
  ["google oauth secret", `GOCSPX-${madeUp(28)}`],
  ["google access token", `ya29.${madeUp(60)}`],
  ["hugging face token", `hf_${madeUp(34)}`],
  ["groq key", `gsk_${madeUp(52)}`],
  ["xai key", `xai-${madeUp(80)}`],
  ["perplexity key", `pplx-${madeUp(48)}`],
  ["replicate token", `r8_${madeUp(37)}`],
  ["sendgrid key", `SG.${madeUp(22)}.${madeUp(43)}`],
  ["mailgun key", `key-${madeUpHex(32)}`],
  ["mailchimp key", `${madeUpHex(32)}-us12`],
  ["twilio key", `SK${madeUpHex(32)}`],
  ["telegram bot token", `${madeUp(9, "23456789")}:AA${madeUp(33)}`],
  ["discord webhook", `https://discord.com/api/webhooks/${madeUp(18, "123456789")}/${madeUp(68)}`],
  ["digitalocean token", `dop_v1_${madeUpHex(64)}`],
  ["heroku key", `HRKU-${madeUp(36)}`],
  ["linear key", `lin_api_${madeUp(40)}`],
  ["notion token", `ntn_${madeUp(46)}`],
  ["figma token", `figd_${madeUp(40)}`],
  ["airtable token", `pat${madeUp(14)}.${madeUpHex(64)}`],
  ["atlassian token", `ATATT3${madeUp(180)}`],
  ["bitbucket token", `ATBB${madeUp(32)}`],
  ["new relic key", `NRAK-${madeUpCapitals(27)}`],
  ["sentry token", `sntrys_${madeUp(60)}`],
  ["grafana token", `glsa_${madeUp(32)}_${madeUpHex(8)}`],
  ["postman key", `PMAK-${madeUpHex(24)}-${madeUpHex(34)}`],
  ["shopify token", `shpat_${madeUpHex(32)}`],
  ["square token", `sq0atp-${madeUp(22)}`],
  ["vault token", `hvs.${madeUp(90)}`],
  ["terraform token", `${madeUp(14)}.atlasv1.${madeUp(67)}`],
  ["pulumi token", `pul-${madeUpHex(40)}`],
  ["databricks token", `dapi${madeUpHex(32)}`],
  ["supabase token", `sbp_${madeUpHex(40)}`],
  ["planetscale token", `pscale_tkn_${madeUp(43)}`],
  ["netlify token", `nfp_${madeUp(36)}`],
  ["doppler token", `dp.pt.${madeUp(43)}`],
  ["age key", `AGE-SECRET-KEY-1${madeUpCapitals(58)}`],
  ["azure storage key", `AccountName=a;AccountKey=${madeUp(86)}==;`],
  ["azure shared access signature", `https://a.blob.core.windows.net/x?sv=1&sig=${madeUp(50)}`],
  ["json web token", `eyJ${madeUp(30)}.eyJ${madeUp(60)}.${madeUp(43)}`],
  [
    "private key",
    `-----BEGIN RSA PRIVATE KEY-----\n${madeUp(64)}\n${madeUp(64)}\n-----END RSA PRIVATE KEY-----`,
  ],
  ["private key", `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${madeUp(64)}\n${madeUp(64)}`],
  ["private key", `"key": "-----BEGIN PRIVATE KEY-----\\n${madeUp(64)}\\n-----END PRIVATE KEY-----\\n"`],
  ["password in a url", `postgres://app:${madeUp(14)}@db.internal:5432/app`],
  ["password in a url", `redis://:${madeUp(12)}@cache:6379`],
  ["authorization header", `curl -H "Authorization: Bearer ${madeUp(40)}"`],
  ["password", `const dbPassword = "${madeUp(16)}";`],
  ["password", `"api_key": "${madeUpHex(32)}"`],
  ["password", `DATABASE_PASSWORD=${madeUp(18)}`],
  ["password", `  password: ${madeUp(18)}`],
];

test.each(REAL)("finds a %s", (kind, text) => {
  expect(kinds(`before\n${text}\nafter`)).toEqual([kind]);
});

test("every rule of the table has an example above", () => {
  const tried = new Set(REAL.map(([kind]) => kind));
  expect(SECRET_RULES.filter(({ kind }) => !tried.has(kind))).toEqual([]);
});

test.each([
  ["the key of the vendor's documentation", "AKIAIOSFODNN7EXAMPLE"],
  ["a placeholder", 'password = "your-password-here1"'],
  ["a repeated letter", `ghp_${"x".repeat(36)}`],
  ["an environment variable", ['password: "$', '{DB_PASSWORD_1}"'].join("")],
  ["a template", 'api_key = "{{ secrets.KEY1 }}"'],
  ["a uuid", `token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"`],
  ["a digest", `sha256 = "${madeUpHex(64)}"`],
  ["a commit", `commit ${madeUpHex(40)}`],
  ["an integrity value of a lock file", `"integrity": "sha512-${madeUp(86)}=="`],
  ["a checksum of go.sum", `example.org/x v1.0.0 h1:${madeUp(43)}=`],
  ["a name of a secret", 'secret: "tls-secret-v2"'],
  ["a type", "password: string; token: AccessToken2Response"],
  ["a call", "const token = readToken(process.argv[2])"],
  ["a label", 'label: "Password", token: "access_token"'],
  ["a url without password", "https://example.org:8080/a@b"],
  ["a url with a well-known password", "postgres://postgres:postgres@localhost:5432/test"],
  ["a parser of private keys", 'if (line === "-----BEGIN PRIVATE KEY-----") return parse(rest);'],
  ["prose", "The token is sent as a header; passwords are hashed with argon2id, see RFC 9106."],
])("%s is not a secret", (_case, text) => {
  expect(kinds(text)).toEqual([]);
});

test("redaction keeps the line count and everything that is not secret", () => {
  const key = `-----BEGIN PRIVATE KEY-----\r\n${madeUp(64)}\r\n${madeUp(64)}\r\n-----END PRIVATE KEY-----`;
  const text = `a\n${key}\nurl = "postgres://app:${madeUp(14)}@db/x" # ${`ghp_${madeUp(36)}`}\nz`;
  expect(redactSecrets(text)).toEqual({
    text: 'a\n[redacted: private key]\r\n\r\n\r\n\nurl = "postgres://app:[redacted: password in a url]@db/x" # [redacted: github personal token]\nz',
    found: [
      { kind: "private key", line: 2 },
      { kind: "password in a url", line: 6 },
      { kind: "github personal token", line: 6 },
    ],
  });
});

test("a redacted text contains no secrets", () => {
  const all = REAL.map(([, text]) => text).join("\n\n");
  expect(kinds(redactSecrets(all).text)).toEqual([]);
});

describe("one unbroken run of many megabytes", () => {
  const run = "Zm9vYmFyMTIz".repeat(1_200_000);

  test("is searched to its end, and across block boundaries", () => {
    const keys = Array.from({ length: 14 }, () => `ghp_${madeUp(36)}`);
    const text = keys.map((key, index) => `${run.slice(0, 999_990 - index * 41)}:${key}:`).join("");
    expect(findSecrets(text).length).toBe(keys.length);
  });

  test("is removed whole if it is a private key", () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${run}\n-----END PRIVATE KEY-----`;
    expect(redactSecrets(key).text).toBe("[redacted: private key]\n\n");
  });
});

describe("a megabyte of hostile text is searched in bounded time", () => {
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
