import { describe, expect, test } from "vitest";
import { madeUp, madeUpHex } from "../../../tests/support/made-up.ts";
import { MISSED_BEFORE, REAL_SECRETS, SURROUNDINGS } from "../../../tests/support/made-up-secrets.ts";
import { findSecrets, redactSecrets } from "./index.ts";
import { SECRET_RULES } from "./secret-rules.ts";

const kinds = (text: string) => findSecrets(text).map(({ kind }) => kind);

test.each([...REAL_SECRETS, ...MISSED_BEFORE])("finds a %s", (kind, text) => {
  expect(kinds(`before\n${text}\nafter`)).toEqual([kind]);
});

test("every rule of the table has an example above", () => {
  const tried = new Set([...REAL_SECRETS, ...MISSED_BEFORE].map(([kind]) => kind));
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
  ["a regular expression", 'token = "[A-Za-z0-9]{8,200}"'],
  ["a translated message", 'reset_password: "Passwort-zurücksetzen!"'],
  ["a message with spaces", 'password: "must be at least 8 characters long"'],
  ["a name in camel case", 'api_key: "apiKeyHeader2"'],
  ["a value of a test", 'token="a1b2c3d4e5f6"'],
  ["a port and a path with an at sign", "http://localhost:3000/@scope/name@1.2.3"],
  ["a default that is empty or plain", 'getenv("DB_PASSWORD", "password")'],
  ["a flag of curl without a password", "curl -u ana https://api.example.org"],
  ["a variable in a command", 'sshpass -p "$SSH_PASS" ssh host; curl -u "$USER:$PASS" x'],
  ["a base64 image", `"auth": "data:image/png;base64,iVBORw0KGgo"`],
  ["words joined by a plus", '"password: " + "unknown user" + "."'],
  ["a well-known password in SQL", "CREATE USER app WITH PASSWORD 'secret'"],
  ["a placeholder in a connection string", "Server=db;User Id=app;Password=your_password;"],
  ["a uuid outside its context", `id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"`],
  ["prose", "The token is sent as a header; passwords are hashed with argon2id, see RFC 9106."],
])("%s is not a secret", (_case, text) => {
  expect(kinds(text)).toEqual([]);
});

test("of all made-up secrets in all surroundings, at least 97 in 100 are found", () => {
  const rows = [...REAL_SECRETS, ...MISSED_BEFORE].flatMap(([kind, text]) =>
    SURROUNDINGS.map((around) => ({ kind, text: around(text) })),
  );
  const missed = rows.filter(({ text }) => findSecrets(text).length === 0);
  expect(missed.length / rows.length).toBeLessThanOrEqual(0.03);
});

test("look-alikes are not found: hashes, ids, integrity strings, images and fixtures", () => {
  const image = Buffer.from(madeUp(3000)).toString("base64");
  const lines = Array.from({ length: 200 }, (_, at) => [
    `"integrity": "sha512-${madeUp(80 + (at % 6))}==",`,
    `"resolved": "https://registry.example.org/a${at}/-/a-1.0.${at}.tgz#${madeUpHex(40)}"`,
    `${madeUpHex(40)} refs/tags/v1.${at}`,
    `checksum = "${madeUpHex(64)}"`,
    `const id${at} = "${madeUpHex(8)}-${madeUpHex(4)}-4${madeUpHex(3)}-8${madeUpHex(3)}-${madeUpHex(12)}";`,
    `src="data:image/png;base64,${image.slice(at, at + 400)}"`,
    `test("token ${at} is refused", () => expect(login("user", "token${at}")).toBe(false));`,
    `<input type="password" name="password" placeholder="Password" id="password-${at}">`,
    `password_field = form.password_field(name="new_password${at}")`,
    `secretName: tls-secret-v${at}`,
  ]).flat();
  expect(lines.filter((line) => findSecrets(line).length > 0)).toEqual([]);
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
  const all = [...REAL_SECRETS, ...MISSED_BEFORE].map(([, text]) => text).join("\n\n");
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
