import { expect, it } from "vitest";
import { InvalidCredentials, parseCredentials } from "../../src/credentials/credentials.js";

function parseKeyTimes(createTime: string, expireTime: string) {
  const key = {
    id: "0".repeat(16),
    sha256: "0".repeat(64),
    create_time: createTime,
    expire_time: expireTime,
  };
  return parseCredentials(
    JSON.stringify({ principals: [{ name: "ann", roles: ["reader"], keys: [key] }] }),
  );
}

it.each([
  ["2026-01-01T00:00:00Z", "2027-02-30T00:00:00Z"],
  ["2026-01-01T00:00:00Z", "2027-01-01T24:00:00Z"],
  ["2026-02-29T00:00:00Z", "2027-01-01T00:00:00Z"],
  ["2026-13-01T00:00:00Z", "2027-01-01T00:00:00Z"],
])("credentials with a time that does not exist are refused: %s and %s", (...times) => {
  expect(() => parseKeyTimes(...times)).toThrow(InvalidCredentials);
  expect(() => parseKeyTimes(...times)).toThrow("has a time that does not exist");
});

it.each(["users", "tenant", "limits", "keys", "certificates", "disabled"])(
  "credentials with the value null for %s are refused, because null does not mean absent",
  (field) => {
    const principal = { name: "ann", roles: ["reader"], [field]: null };
    const text = JSON.stringify({ principals: [principal] });
    expect(() => parseCredentials(text)).toThrow(InvalidCredentials);
    expect(() => parseCredentials(text)).toThrow(`/principals/0/${field}`);
  },
);

it("credentials with a time on a leap day are accepted", () => {
  const { principals } = parseKeyTimes("2028-02-29T23:59:59Z", "2029-01-01T00:00:00Z");
  expect(principals[0]?.keys?.[0]?.create_time).toBe("2028-02-29T23:59:59Z");
});
