import { expect, it } from "vitest";
import { RecentCommitLog } from "../../src/store/recent-commits.js";

const scope = { kind: "user", userId: "kim" } as const;
const namespace = { userId: "kim", agentId: "guide" };
const [scopeId, epoch, table] = ["kim", "e", "memories"] as const;

/** Commits memories to a log, each in a commit of its own. */
function commit(log: RecentCommitLog, memories: number, bytes: number): void {
  for (let seq = 1; seq <= memories; seq++) {
    const record = { table, agentId: namespace.agentId, key: `m${seq}`, bytes } as const;
    const change = { seq, touched: [record], cleared: [] };
    log.add(scopeId, { epoch }, [change], [{ ...record, value: `value ${seq}`, isDeleted: false }]);
  }
}

it("only the newest commits of a scope are remembered when the log is too small for all", () => {
  const log = new RecentCommitLog(1_000);
  commit(log, 20, 100);
  const head = { epoch, seq: 20 };
  const recent = log.after(scope, scopeId, 15, head);
  expect(recent?.changes.map(({ seq }) => seq)).toEqual([16, 17, 18, 19, 20]);
  expect(recent?.get(table, namespace, "m20")).toEqual({ value: "value 20" });
  expect(log.after(scope, scopeId, 5, head)).toBeUndefined();
});

it("a commit that is larger than the whole log is not remembered", () => {
  const log = new RecentCommitLog(1_000);
  commit(log, 2, 5_000);
  expect(log.after(scope, scopeId, 1, { epoch, seq: 2 })).toBeUndefined();
});

it("after a failover, commits from before it are forgotten, and only later commits are remembered", () => {
  const log = new RecentCommitLog(1_000);
  const add = (seq: number, timeline: string) => {
    const change = { seq, touched: [], cleared: [] };
    log.add(scopeId, { epoch, timeline }, [change], []);
  };
  add(1, "1");
  add(2, "1");
  expect(log.after(scope, scopeId, 0, { epoch, seq: 2, timeline: "1" })?.changes).toHaveLength(2);
  expect(log.after(scope, scopeId, 0, { epoch, seq: 2, timeline: "2" })).toBeUndefined();
  add(3, "2");
  expect(log.after(scope, scopeId, 2, { epoch, seq: 3, timeline: "2" })?.changes).toHaveLength(1);
  expect(log.after(scope, scopeId, 0, { epoch, seq: 3, timeline: "2" })).toBeUndefined();
});
