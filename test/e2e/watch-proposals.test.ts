import { expect } from "vitest";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import type { WatchInboxResponse } from "#gen/vademecum/v1/proposal_service_pb.js";
import { required } from "./harness/namespace-client.js";
import { describeUsers } from "./harness/user-suite.js";

const { PENDING, APPROVED, REJECTED, CONFLICTED } = ProposalStatus;

describeUsers((it) => {
  it("a watcher gets the pending proposals, oldest first, and then each new proposal and each outcome", async ({
    user,
    another,
  }) => {
    await user.put("one two three four");
    const decided = await user.proposed({ old: "one", new: "1" });
    await user.approve(decided);
    const ids = [
      await user.proposed({ old: "two", new: "2" }),
      await user.proposed({ old: "three", new: "3" }),
    ];
    const watch = another().watch();
    const told = async () => {
      const { id, status } = await watch.next();
      return [id, status];
    };
    expect([await told(), await told()]).toEqual(ids.map((id) => [id, PENDING]));
    const coming = told();
    const id = await user.proposed({ old: "four", new: "4" });
    expect(await coming).toEqual([id, PENDING]);
    await user.approve(ids[0] ?? "");
    expect(await told()).toEqual([ids[0], APPROVED]);
    await user.reject(ids[1] ?? "");
    expect(await told()).toEqual([ids[1], REJECTED]);
    await user.put("");
    await user.approve(id).catch(() => undefined);
    expect(await told()).toEqual([id, CONFLICTED]);
    watch.end();
  });

  it("a watcher of all users gets their pending proposals, oldest first, and then each new proposal and each outcome", async ({
    user,
    another,
  }) => {
    const bob = another({ userId: "bob" });
    for (const one of [user, bob]) await one.put("one two three");
    const own = new Set([user.userId, bob.userId]);
    const ended = new AbortController();
    const ids = [
      await bob.proposed({ old: "one", new: "1" }),
      await user.proposed({ old: "one", new: "1" }),
    ];
    const messages = another()
      .proposals.watchInbox({}, { signal: ended.signal })
      [Symbol.asyncIterator]();
    const told = async () => {
      for (;;) {
        const { proposal } = (await messages.next()).value as WatchInboxResponse;
        const { id, status, namespace: { userId = "" } = {} } = required(proposal, "no proposal");
        if (own.has(userId)) return [id, userId, status];
      }
    };
    expect(await told()).toEqual([ids[0], bob.userId, PENDING]);
    expect(await told()).toEqual([ids[1], user.userId, PENDING]);
    const coming = told();
    const id = await bob.proposed({ old: "two", new: "2" });
    expect(await coming).toEqual([id, bob.userId, PENDING]);
    await user.approve(ids[1] ?? "");
    expect(await told()).toEqual([ids[1], user.userId, APPROVED]);
    await bob.reject(id);
    expect(await told()).toEqual([id, bob.userId, REJECTED]);
    ended.abort();
  });

  it("a watcher gets a proposal with the commit_seq that ProposeEdit returned", async ({
    user,
    another,
  }) => {
    await user.put("one two");
    const watch = another().watch();
    await user.proposed({ old: "one", new: "1" });
    await watch.next();
    const coming = watch.next();
    const { proposal } = await user.propose({ old: "two", new: "2" });
    expect(await coming).toEqual(proposal);
    watch.end();
  });

  it("each of several watchers gets all events of the user, and no event of another user", async ({
    user,
    another,
  }) => {
    const stranger = another({ userId: "stranger" });
    await stranger.put("one");
    await user.put("one");
    const watches = [another().watch(), another().watch(), user.watch()];
    await stranger.proposed({ old: "one", new: "1" });
    const id = await user.proposed({ old: "one", new: "2" });
    for (const watch of watches) expect(await watch.next()).toMatchObject({ id, status: PENDING });
    for (const watch of watches) watch.end();
  });

  it("a watcher that reconnects gets the pending proposals again", async ({ user, another }) => {
    await user.put("one");
    const id = await user.proposed({ old: "one", new: "1" });
    for (let i = 0; i < 3; i++) {
      const watch = another().watch();
      expect((await watch.next()).id).toBe(id);
      watch.end();
    }
  });

  it("a slow watcher gets the current state of each proposal when it reads", async ({
    user,
    another,
  }) => {
    const words = Array.from({ length: 40 }, (_, i) => `<${i}>`);
    await user.put(words.join(""));
    const watch = another().watch();
    const ids: string[] = [];
    for (const word of words)
      ids.push(await user.proposed({ old: word, new: "x".repeat(60_000 / words.length) }));
    for (const id of ids.slice(0, 20)) await user.reject(id);
    const last = new Map<string, ProposalStatus>();
    const isSettled = () =>
      last.has(ids[39] ?? "") && ids.slice(0, 20).every((id) => last.get(id) !== PENDING);
    while (!isSettled()) {
      const { id, status } = await watch.next();
      last.set(id, status);
    }
    expect([...last].filter(([, status]) => status === PENDING).map(([id]) => id)).toEqual(
      ids.slice(20),
    );
    watch.end();
  });
});
