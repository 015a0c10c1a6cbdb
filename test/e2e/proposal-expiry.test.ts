import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { describeOver } from "../over-protocols.js";
import { createManualTimer } from "../server/manual-timer.js";
import { failureOf } from "./harness/failure.js";
import { required } from "./harness/namespace-client.js";
import { type Connection, connectJson, nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { createUserClient } from "./harness/user-client.js";

const { PENDING, EXPIRED } = ProposalStatus;
const dayMs = 24 * 60 * 60 * 1000;

describe.each([
  { flags: {}, lifetimeMs: 30 * dayMs },
  { flags: { "proposal-lifetime": "12h" }, lifetimeMs: dayMs / 2 },
])("proposals that wait for $lifetimeMs ms", ({ flags, lifetimeMs }) => {
  const timer = createManualTimer();
  let nowMs = Date.UTC(2026, 0, 1);
  let server: TestServer | undefined;
  const connections: Connection[] = [];
  beforeAll(async () => {
    server = await startTestServer(flags, { clock: { nowMs: () => nowMs }, timer });
  });
  afterAll(async () => {
    for (const connection of connections) connection.close();
    await server?.stop();
  });

  describeOver("a user's proposals", [nativeGrpc, connectJson], (protocol) => {
    let users = 0;
    const createUser = () => {
      const connection = protocol().connect(required(server, "the server is not running"));
      connections.push(connection);
      return createUserClient(connection, {
        userId: `${protocol().name} ${++users}`,
        agentId: "agent",
      });
    };

    it("a proposal expires on the millisecond, for every read and decision", async () => {
      const user = createUser();
      await user.put("one two");
      const ids = [
        await user.proposed({ old: "one", new: "1" }),
        await user.proposed({ old: "two", new: "2" }),
      ];
      const [first = "", second = ""] = ids;
      const idsOf = async (status: ProposalStatus) =>
        (await user.proposals.listProposals({ userId: user.userId, status })).proposals
          .map(({ id }) => id)
          .toSorted();
      nowMs += lifetimeMs - 1;
      expect((await user.proposal(first)).proposal?.status).toBe(PENDING);
      expect(await idsOf(PENDING)).toEqual(ids);
      nowMs += 1;
      expect((await user.proposal(first)).proposal).toMatchObject({ status: EXPIRED });
      expect(await idsOf(PENDING)).toEqual([]);
      expect(await idsOf(EXPIRED)).toEqual(ids);
      const expired = { code: "FAILED_PRECONDITION", reason: "PROPOSAL_EXPIRED" };
      expect(await failureOf(user.approve(first))).toMatchObject(expired);
      expect(await failureOf(user.reject(second))).toMatchObject(expired);
      expect(await failureOf(user.approve(first)), "it stays so").toMatchObject(expired);
      expect((await user.block()).body).toBe("one two");
      await user.put("three");
      await user.proposed({ old: "three", new: "3" });
      expect(await idsOf(EXPIRED)).toEqual(ids);
    });

    it("watchers see a proposal expire at the next pruning, if they began to watch before its expiry", async () => {
      const user = createUser();
      await user.put("one");
      const id = await user.proposed({ old: "one", new: "1" });
      const watch = user.watch();
      expect(await watch.next()).toMatchObject({ id, status: PENDING });
      nowMs += lifetimeMs;
      const later = user.watch();
      timer.pass(dayMs);
      expect(await watch.next()).toMatchObject({ id, status: EXPIRED });
      const other = await user.proposed({ old: "one", new: "2" });
      expect(await later.next()).toMatchObject({ id: other, status: PENDING });
      watch.end();
      later.end();
    });
  });
});
