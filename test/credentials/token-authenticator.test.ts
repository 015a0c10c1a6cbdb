import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
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

it.each([7, "", null, ["kim"], { name: "kim" }])(
  "a token is refused if its subject is %j, which is no name",
  async (sub) => {
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    const keys = [await exportJWK(publicKey)];
    const clock = { nowMs: () => startMs };
    const authenticator = createTokenAuthenticator({ keys }, { issuer, audience }, clock);
    const claims = { vademecum: grants, sub } as JWTPayload;
    expect(await authenticator.ofToken(await signed(claims, privateKey))).toBeUndefined();
  },
);

it("a token without a key id is accepted while the file has two keys of its kind", async () => {
  const [first, second, foreign] = await Promise.all(
    Array.from({ length: 3 }, () => generateKeyPair("ES256")),
  );
  if (first === undefined || second === undefined || foreign === undefined)
    throw new Error("no keys");
  const publicKeys = [first, second].map(({ publicKey }) => exportJWK(publicKey));
  const keys = (await Promise.all(publicKeys)).map((key, at) => ({ ...key, kid: `key ${at}` }));
  const clock = { nowMs: () => startMs };
  const authenticator = createTokenAuthenticator({ keys }, { issuer, audience }, clock);
  const nameOf = async ({ privateKey }: typeof first) =>
    (await authenticator.ofToken(await signed({ vademecum: grants, sub: "kim" }, privateKey)))
      ?.name;
  expect(await nameOf(first)).toBe(`jwt:${issuer}#kim`);
  expect(await nameOf(second)).toBe(`jwt:${issuer}#kim`);
  expect(await nameOf(foreign)).toBeUndefined();
});

/** Signs claims with ES256, without a key id. */
function signed(claims: JWTPayload, key: CryptoKey): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(startMs / secondMs + 600)
    .sign(key);
}

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
