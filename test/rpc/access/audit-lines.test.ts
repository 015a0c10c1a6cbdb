import { expect, it } from "vitest";
import { VademecumError } from "../../../src/core/model/errors.js";
import { anonymous } from "../../../src/core/model/principal.js";
import { createAuditLines } from "../../../src/rpc/access/audit-lines.js";

const refused = new VademecumError("UNAUTHENTICATED", "CREDENTIALS_REFUSED", "no");
const outside = new VademecumError("PERMISSION_DENIED", "OUT_OF_SCOPE", "no");

/** Creates audit lines with a clock that the test sets, and a list of the logged lines. */
function createLines() {
  const logged: object[] = [];
  const now = { ms: 0 };
  const note = (facts: object) => logged.push(facts);
  return { logged, now, lines: createAuditLines({ info: note, warn: note }, () => now.ms) };
}

it("at most ten denials of a kind are logged in a second, and the next line counts the omitted ones", () => {
  const { logged, now, lines } = createLines();
  for (let i = 0; i < 25; i++) lines.denied("/Add", undefined, refused);
  expect(logged).toEqual(Array(10).fill({ method: "/Add", reason: "CREDENTIALS_REFUSED" }));
  lines.denied("/Add", anonymous, outside);
  expect(logged.at(-1)).toEqual({ method: "/Add", reason: "OUT_OF_SCOPE", principal: "anonymous" });
  now.ms = 1000;
  lines.denied("/Add", undefined, refused);
  expect(logged.at(-1)).toMatchObject({ reason: "CREDENTIALS_REFUSED", omitted: 15 });
  lines.denied("/Add", undefined, refused);
  expect(logged.at(-1)).not.toHaveProperty("omitted");
});

it("the audit log has no errors other than denials", () => {
  const { logged, lines } = createLines();
  lines.denied("/Add", anonymous, new VademecumError("NOT_FOUND", "MEMORY_NOT_FOUND", "no"));
  lines.denied("/Add", anonymous, new Error("internal"));
  expect(logged).toEqual([]);
});
