import { expect, it } from "vitest";
import { VademecumError } from "../../../src/core/model/errors.js";
import { anonymous, type Principal } from "../../../src/core/model/principal.js";
import { createAuditLines } from "../../../src/rpc/access/audit-lines.js";
import { createManualTimer } from "../../server/manual-timer.js";

const refused = new VademecumError("UNAUTHENTICATED", "CREDENTIALS_REFUSED", "no");
const outside = new VademecumError("PERMISSION_DENIED", "OUT_OF_SCOPE", "no");

const principal = (name: string): Principal => ({ ...anonymous, name });
const caller = (name: string) => ({ principal: principal(name), requestId: "r-1" });

/** Creates audit lines with a clock that the test sets, and a list of the logged lines. */
function createLines() {
  const logged: object[] = [];
  const timer = createManualTimer();
  const note = (facts: object, msg: string) => logged.push({ ...facts, msg });
  return { logged, timer, lines: createAuditLines({ info: note, warn: note } as never, timer) };
}

it("of the denials without a principal, at most ten per reason are logged in a second, and then one line counts the rest", () => {
  const { logged, timer, lines } = createLines();
  const line = { method: "/Add", reason: "CREDENTIALS_REFUSED", msg: "a call was denied" };
  for (let i = 0; i < 25; i++) lines.denied("/Add", undefined, refused);
  expect(logged).toEqual(Array(10).fill(line));
  timer.pass(1000);
  expect(logged.splice(0).at(-1)).toEqual({
    reason: "CREDENTIALS_REFUSED",
    omitted: 15,
    msg: "further calls were denied",
  });
  lines.denied("/Add", undefined, refused);
  timer.pass(1000);
  expect(logged).toEqual([line]);
  expect(timer.waiting).toEqual([]);
});

it("the denials of one principal suppress no log line about another principal", () => {
  const { logged, lines } = createLines();
  for (let i = 0; i < 25; i++) lines.denied("/Add", principal("key:noisy"), outside);
  lines.denied("/Add", principal("key:quiet"), outside);
  const line = { method: "/Add", reason: "OUT_OF_SCOPE", msg: "a call was denied" };
  expect(logged).toHaveLength(11);
  expect(logged.at(-1)).toEqual({ ...line, principal: "key:quiet" });
  lines.denied("/Add", { ...principal("key:noisy"), tenant: "acme" }, outside);
  expect(logged.at(-1)).toEqual({ ...line, principal: "key:noisy", tenant: "acme" });
});

it("at most ten decisions of a principal with one RPC are logged in a second, and then one line counts the rest", () => {
  const { logged, timer, lines } = createLines();
  for (let i = 0; i < 12; i++) lines.decided("/Reset", caller("key:a"), { id: i });
  lines.decided("/Reset", caller("key:b"), { id: 12 });
  timer.pass(1000);
  expect(logged).toHaveLength(12);
  expect(logged.slice(-2)).toEqual([
    { method: "/Reset", principal: "key:b", requestId: "r-1", id: 12, msg: "a call decided" },
    { method: "/Reset", principal: "key:a", omitted: 2, msg: "further calls decided" },
  ]);
});

it("a server that stops logs how many lines it has omitted in its last second", () => {
  const { logged, timer, lines } = createLines();
  for (let i = 0; i < 11; i++) lines.denied("/Add", undefined, refused);
  lines.stop();
  expect(logged.at(-1)).toMatchObject({ omitted: 1 });
  expect(timer.waiting).toEqual([]);
});

it("after a hundred denied principals in a second, all further principals share ten logged denials", () => {
  const { logged, timer, lines } = createLines();
  for (let i = 0; i < 200; i++) lines.denied("/Add", principal(`key:${i}`), outside);
  expect(logged).toHaveLength(110);
  lines.denied("/Add", principal("key:0"), outside);
  expect(logged).toHaveLength(111);
  timer.pass(1000);
  expect(logged.at(-1)).toEqual({
    reason: "OUT_OF_SCOPE",
    omitted: 90,
    msg: "further calls were denied",
  });
});

it("the audit log has no line for an error that is not a denial", () => {
  const { logged, lines } = createLines();
  lines.denied("/Add", anonymous, new VademecumError("NOT_FOUND", "MEMORY_NOT_FOUND", "no"));
  lines.denied("/Add", anonymous, new Error("internal"));
  expect(logged).toEqual([]);
});
