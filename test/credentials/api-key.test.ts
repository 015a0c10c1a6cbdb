import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createApiKey, parseApiKey } from "../../src/credentials/api-key.js";

describe("API keys", () => {
  it("new API keys can be parsed, and no two of them are equal", () => {
    const made = Array.from({ length: 100 }, createApiKey);
    for (const { text, id, secretSha256 } of made)
      expect(parseApiKey(text)).toEqual({ id, secretSha256 });
    expect(new Set(made.map(({ text }) => text)).size).toBe(100);
  });

  it("API keys are refused after any change of one character", () => {
    const { text } = createApiKey();
    fc.assert(
      fc.property(
        fc.nat(text.length - 1),
        fc.constantFrom(...Array.from("0123456789abcdefgV _")),
        (at, by) => {
          fc.pre(text[at] !== by);
          expect(parseApiKey(text.slice(0, at) + by + text.slice(at + 1))).toBeUndefined();
        },
      ),
    );
  });

  it("no random text is read as an API key", () => {
    fc.assert(fc.property(fc.string(), (text) => parseApiKey(text) === undefined));
  });
});
