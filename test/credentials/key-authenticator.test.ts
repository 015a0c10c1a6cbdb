import { expect, it } from "vitest";
import { addPrincipal, rotateKey } from "../../src/credentials/change-credentials.js";
import { createKeyAuthenticator } from "../../src/credentials/key-authenticator.js";

const startMs = Date.parse("2026-11-24T12:00:00Z");
const hourMs = 3_600_000;

it("after a rotation, the old key is refused once its overlap ends, even if it was verified before", () => {
  const clock = { now: startMs, nowMs: () => clock.now };
  const times = { nowMs: startMs };
  const created = addPrincipal({ principals: [] }, { name: "ann", roles: ["reader"] }, times);
  const rotated = rotateKey(created.credentials, "ann", hourMs, times);
  const authenticator = createKeyAuthenticator(rotated.credentials, clock);
  const outcomesAt = (sinceMs: number) => {
    clock.now = startMs + sinceMs;
    return [created.key, rotated.key].map((key) => authenticator.ofKey(key)?.name);
  };
  expect(outcomesAt(0)).toEqual(["key:ann", "key:ann"]);
  expect(outcomesAt(hourMs - 1)).toEqual(["key:ann", "key:ann"]);
  expect(outcomesAt(hourMs)).toEqual([undefined, "key:ann"]);
});

it("a client certificate gives no access once it has expired, although its connection is open", () => {
  const clock = { now: startMs, nowMs: () => clock.now };
  const robot = { name: "robot", roles: ["reader"], certificates: ["spiffe://robot"] } as const;
  const authenticator = createKeyAuthenticator({ principals: [robot] }, clock);
  const expireMs = startMs + hourMs;
  expect(authenticator.ofCertificate(["spiffe://robot"], expireMs)?.name).toBe("cert:robot");
  clock.now = expireMs;
  expect(authenticator.ofCertificate(["spiffe://robot"], expireMs)).toBeUndefined();
});
