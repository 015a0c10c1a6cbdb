import { describe, expect, it } from "vitest";
import { findSecrets } from "../../../src/core/guard/find-secrets.js";
import { actionFor, redactSecrets } from "../../../src/core/guard/guard.js";
import { dottedPatterns, keyPatterns } from "../../../src/core/guard/secret-rules.js";

const letters = (count: number): string => "aB3dE5gH7jK9mN1pQ".repeat(20).slice(0, count);
const hex = (count: number): string => "0a1b2c3d4e5f".repeat(20).slice(0, count);
const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1g";

/** Texts that have a secret: the kind, the text, and the secret in it. */
const positives: readonly (readonly [kind: string, text: string, secret: string])[] = [
  ["api key", "key AKIAIOSFODNN7EXAMPLE.", "AKIAIOSFODNN7EXAMPLE"],
  ...[
    ...[`AIza${letters(35)}`, `GOCSPX-${letters(28)}`, `ghp_${letters(36)}`, `gho_${letters(36)}`],
    ...[`github_pat_${letters(82)}`, `glpat-${letters(20)}`, `xoxb-${letters(24)}`],
    ...[`xapp-${letters(30)}`, `sk_live_${letters(24)}`, `rk_test_${letters(24)}`],
    ...[`whsec_${letters(32)}`, `sk-${letters(48)}`, `sk-proj-${letters(60)}`],
    ...[`sk-ant-api03-${letters(90)}`, `hf_${letters(34)}`, `gsk_${letters(52)}`],
    ...[`xai-${letters(80)}`, `r8_${letters(37)}`, `npm_${letters(36)}`, `pypi-${letters(60)}`],
    ...[`dop_v1_${hex(64)}`, `dapi${hex(32)}`, `shpat_${hex(32)}`, `SK${hex(32)}`],
    ...[`key-${hex(32)}`, `sq0atp-${letters(22)}`, `lin_api_${letters(40)}`],
    ...[`ntn_${letters(46)}`, `tvly-${letters(32)}`, `vdm_${hex(88)}`],
    `SG.${letters(22)}.${letters(43)}`,
  ].map((key) => ["api key", `export KEY="${key}", it says`, key] as const),
  ["api key", `token.${`ghp_${letters(36)}`}`, `ghp_${letters(36)}`],
  ["api key", `_ghp_${letters(36)}`, `ghp_${letters(36)}`],
  ["api key", `__ghp_${letters(36)}__ and more`, `ghp_${letters(36)}`],
  ...["\\n", "\\t", "\\r\\n", "\\u000a", "\\x0A", "\\\\n"].map(
    (written) => ["api key", `a${written}ghp_${letters(36)}`, `ghp_${letters(36)}`] as const,
  ),
  ["api key", `C:\\ntn_${letters(46)}`, `ntn_${letters(46)}`],
  ["token", `a\\n${jwt}`, jwt],
  ["card number", "a\\n4111111111111111", "4111111111111111"],
  ["card number", "_4111111111111111_", "4111111111111111"],
  ["account number", "a\\nDE89370400440532013000", "DE89370400440532013000"],
  ["token", `Bearer ${jwt}.`, jwt],
  [
    "private key",
    "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
  ],
  ["private key", "-----BEGIN PRIVATE KEY-----\nMIIE", "-----BEGIN PRIVATE KEY-----\nMIIE"],
  [
    "private key",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\nx\n-----END PGP PRIVATE KEY BLOCK-----",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\nx\n-----END PGP PRIVATE KEY BLOCK-----",
  ],
  ["password", "see postgres://ann:hunter2@db:5432/x", "hunter2"],
  ["password", "redis://:p%40ss@h", "p%40ss"],
  ["card number", "pay with 4111111111111111 now", "4111111111111111"],
  ["card number", "5500 0000 0000 0004", "5500 0000 0000 0004"],
  ["card number", "3400-000000-00009", "3400-000000-00009"],
  ["card number", "6011000000000004", "6011000000000004"],
  ["card number", "in 2024 4111 1111 1111 1111", "4111 1111 1111 1111"],
  ["card number", "pay 4111\u00a01111\u202f1111\u00a01111", "4111\u00a01111\u202f1111\u00a01111"],
  [
    "account number",
    "to DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000",
    "DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000",
  ],
  ["card number", "(30000000000004)", "30000000000004"],
  ["account number", "IBAN DE89 3704 0044 0532 0130 00.", "DE89 3704 0044 0532 0130 00"],
  ["account number", "GB82WEST12345698765432", "GB82WEST12345698765432"],
  ["account number", "to FR1420041010050500013M02606 please", "FR1420041010050500013M02606"],
];

/** Texts without a secret that look similar to one. */
const negatives: readonly string[] = [
  "",
  "Ann likes green tea",
  "AKIAIOSFODNN7EXAMPL",
  "AKIAIOSFODNN7EXAMPLE1",
  "akiaiosfodnn7example",
  "sk-short",
  "the sk-learn library",
  "ghp_ is the prefix of keys",
  "task-list-of-the-day-and-more",
  "eyJhbGciOiJIUzI1NiJ9",
  "eyJhbGci.ends.here",
  "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
  "-----BEGIN CERTIFICATE-----",
  "https://example.com:8080/path",
  "https://ann@example.com",
  "write to mail:ann@example.com",
  "4111111111111112",
  "1234567890123456",
  "01a2163e-1a2b-7c3d-8e4f-4111111111111111",
  "41111111111111112222",
  "0.4111111111111111",
  "call +49 30 123456789",
  "2024-01-01 10:00:00 2024",
  "DE88 3704 0044 0532 0130 00",
  "DE89 3704 0044 0532 0130",
  "DE89370400440532013000X",
  "ZZ89370400440532013000",
  "build AB12 of the branch",
];

describe("findSecrets", () => {
  it.each(positives)("finds %s in %j", (kind, text, secret) => {
    const found = findSecrets(text);
    expect(found.map((one) => [one.kind, text.slice(one.start, one.end)])).toEqual([
      [kind, secret],
    ]);
  });

  it.each(negatives)("finds nothing in %j", (text) => {
    expect(findSecrets(text)).toEqual([]);
  });

  it("each pattern of a key is found by a case of this table", () => {
    const secrets = positives.map(([, , secret]) => secret);
    for (const pattern of [...keyPatterns, ...dottedPatterns.map(({ form }) => form)])
      expect([pattern, secrets.some((secret) => pattern.test(secret))]).toEqual([pattern, true]);
  });

  it("each pattern of a key is a literal and classes, so that none can backtrack", () => {
    // Literals or a choice of literals, then one class with a number of repetitions; with dots
    // between several, because no class has a dot.
    const repeated = String.raw`(?:\\w|\\d|\[(?:\\?[\w-])+\])\{\d+(?:,\d*)?\}`;
    const part = String.raw`(?:[\w-]|\(\?:[\w|-]+\)|\[\w+\](?!\{))*(?:${repeated})?`;
    const form = new RegExp(String.raw`^\^${part}(?:\\\.${part})*\$$`);
    for (const { source } of [...keyPatterns, ...dottedPatterns.map((it) => it.form)])
      expect(source).toMatch(form);
  });

  it("several secrets are found in their order, and none twice", () => {
    const text = `a ghp_${letters(36)} b postgres://u:ghp_${letters(36)}@h 4111111111111111`;
    expect(findSecrets(text).map(({ kind }) => kind)).toEqual([
      "api key",
      "password",
      "card number",
    ]);
  });

  it.each(
    [
      [
        "sk-",
        "eyJ",
        "eyJ.",
        "eyJa.eyJb.",
        "AKIA",
        "ghp_",
        "a://b:",
        "://",
        "a://:@",
        "1 ",
        "4111 ",
      ],
      [
        "4",
        "4-",
        "DE89",
        "DE89 ",
        "D1",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN ",
        "a.",
        "-",
        ".",
      ],
      [" ", "\n", "aA1", "://u:p", "SG.", "12345678901234567890 ", "é", "\u0000"],
    ].flat(),
  )("256 KiB of %j take a number of steps that grows with the length alone", (unit) => {
    const stepsOf = (bytes: number): number => {
      let sum = 0;
      findSecrets(unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes), (units) => {
        sum += units;
      });
      return sum;
    };
    const most = 256 * 1024;
    const steps = stepsOf(most);
    expect(steps).toBeLessThan(250 * most);
    expect(steps).toBeLessThanOrEqual(4.5 * stepsOf(most / 4) + 1000);
  });
});

it("redactSecrets keeps the rest of the text", () => {
  expect(redactSecrets("pay 4111111111111111, or DE89370400440532013000!")).toEqual({
    text: "pay [redacted: card number], or [redacted: account number]!",
    kinds: ["card number", "account number"],
  });
  const clean = redactSecrets("pay 4111111111111111");
  expect(redactSecrets(clean.text)).toEqual({ text: clean.text, kinds: [] });
});

it("the first rule that fits an owner holds", () => {
  const rules = [
    { users: ["ann"], agents: ["guide"], action: "off" },
    { users: ["support-*"], agents: ["*"], action: "reject" },
    { users: ["*"], agents: ["*"], action: "tag" },
  ] as const;
  expect(actionFor(rules, { userId: "ann", agentId: "guide" })).toBe("off");
  expect(actionFor(rules, { userId: "ann", agentId: "other" })).toBe("tag");
  expect(actionFor(rules, { userId: "ann" })).toBe("tag");
  expect(actionFor(rules, { userId: "support-1" })).toBe("reject");
  expect(actionFor(rules, {})).toBe("tag");
  expect(actionFor([], { userId: "ann" })).toBe("off");
});
