import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, it } from "vitest";
import { createTokenAuthenticator } from "../../src/credentials/token-authenticator.js";

const issuer = "https://issuer.example";
const audience = "vademecum";
const startMs = Date.parse("2026-11-24T12:00:00Z");
const secondMs = 1_000;

const grants = { roles: ["reader"], users: ["ann"] };

it("a token is refused if its subject has control characters", async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const keys = [{ ...(await exportJWK(publicKey)), alg: "ES256" }];
  const clock = { nowMs: () => startMs };
  const authenticator = createTokenAuthenticator({ keys }, { issuer, audience }, clock);
  const principalOf = async (subject: string) =>
    authenticator.ofToken(
      await new SignJWT({ vademecum: grants })
        .setProtectedHeader({ alg: "ES256" })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(subject)
        .setExpirationTime(startMs / secondMs + 600)
        .sign(privateKey),
    );
  for (const subject of ["kim\0", "kim\nann", "\u001b[31mkim", "kim\u0085"])
    expect(await principalOf(subject)).toBeUndefined();
  expect(await principalOf("Kim Lée")).toBeDefined();
});

it("a cached token is refused 30 seconds after its expiry, because that much clock skew is allowed", async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const clock = { now: startMs, nowMs: () => clock.now };
  const keys = [{ ...(await exportJWK(publicKey)), alg: "ES256" }];
  const authenticator = createTokenAuthenticator({ keys }, { issuer, audience }, clock);
  const expireSeconds = startMs / secondMs + 600;
  const token = await new SignJWT({ vademecum: grants })
    .setProtectedHeader({ alg: "ES256" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject("kim")
    .setExpirationTime(expireSeconds)
    .sign(privateKey);
  const nameAt = async (sinceExpiryMs: number) => {
    clock.now = expireSeconds * secondMs + sinceExpiryMs;
    return (await authenticator.ofToken(token))?.name;
  };
  const name = `jwt:${issuer}#kim`;
  expect(await nameAt(-600 * secondMs)).toBe(name);
  // A cached principal is returned directly, not as a promise.
  clock.now = expireSeconds * secondMs - 1;
  expect(authenticator.ofToken(token)).toMatchObject({ name });
  expect(await nameAt(29 * secondMs)).toBe(name);
  expect(await nameAt(30 * secondMs)).toBeUndefined();
  expect(await nameAt(3_600 * secondMs)).toBeUndefined();
});
