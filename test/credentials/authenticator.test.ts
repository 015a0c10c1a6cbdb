import { expect, it } from "vitest";
import { createAuthenticator } from "../../src/credentials/authenticator.js";
import { addPrincipal } from "../../src/credentials/change-credentials.js";
import { createKeyAuthenticator } from "../../src/credentials/key-authenticator.js";

it("an API key is accepted after the word Bearer (in upper or lower case) and spaces, and in no other form", async () => {
  const nowMs = Date.parse("2026-11-24T12:00:00Z");
  const ann = { name: "ann", roles: ["reader"] } as const;
  const { credentials, key } = addPrincipal({ principals: [] }, ann, { nowMs });
  const keys = createKeyAuthenticator(credentials, { nowMs: () => nowMs });
  const authenticator = createAuthenticator({ keys: () => keys, onReview: () => undefined });
  const nameOf = async (authorization: string) =>
    (await authenticator.authenticate({ authorization, certificateNames: [] }))?.name;
  for (const header of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`])
    expect(await nameOf(header)).toBe("key:ann");
  for (const header of [key, `Bearer${key}`, `Bearer\t${key}`, `Basic ${key}`, `Bearer ${key} x`])
    expect(await nameOf(header)).toBeUndefined();
});
