import { expect, test } from "vitest";
import { VademecumError } from "../../../src/core/model/errors.js";
import type { Scope } from "../../../src/core/model/namespace.js";
import { replyKey } from "../../../src/core/model/record-keys.js";
import type { Store, Transaction } from "../../../src/core/ports/store.js";
import { call, createWorld, type Example, examples } from "./mutations.js";

/** Fields that choose the owner of an idempotency key. Each owner has its own keys. */
const ownerFields = /^(?:userId|runId|(?:namespace|target)\.(?:userId|agentId))$/;
/** Fields that decide whether a call is a mutation with an idempotency key. */
const modeFields = /^(?:dryRun|idempotencyKey)$/;

/**
 * For each leaf of a value, yields a copy with this leaf changed, and the path of the leaf.
 */
function* variantsOf(
  value: unknown,
  path = "",
): Generator<readonly [path: string, variant: unknown]> {
  if (value instanceof Float32Array) yield [path, value.map((number) => number + 1)];
  else if (typeof value === "string") yield [path, `${value}2`];
  else if (typeof value === "number") yield [path, value + 1];
  else if (typeof value === "boolean") yield [path, !value];
  else if (Array.isArray(value)) {
    for (const [at, item] of value.entries())
      for (const [inner, variant] of variantsOf(item, `${path}[${at}]`))
        yield [inner, value.with(at, variant)];
    yield [`${path}.length`, value.slice(1)];
  } else if (typeof value === "object" && value !== null) {
    for (const [name, field] of Object.entries(value))
      for (const [inner, variant] of variantsOf(field, path === "" ? name : `${path}.${name}`))
        yield [inner, { ...value, [name]: variant }];
  }
}

const titled = examples.map((example): [string, Example] => {
  const isFullReset = "target" in example.input && example.input.target === "everything";
  return [isFullReset ? "Reset of everything" : example.rpc, example];
});

/** Awaits a call. Returns the reason of its error, or "" if it succeeds. */
async function reasonOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "";
  } catch (error) {
    if (error instanceof VademecumError) return error.reason;
    throw error;
  }
}

test.each(titled)(
  "%s refuses an idempotency key that was used with another value in any field",
  async (_, example) => {
    const { input, run } = example;
    const world = await createWorld();
    const reply = await run(world, input);
    expect(await run(world, input)).toEqual(reply);
    const accepted: string[] = [];
    for (const [path, variant] of variantsOf(input)) {
      // The target "everything" is a mode too, because every other target is a namespace.
      if (ownerFields.test(path) || modeFields.test(path) || path === "target") continue;
      const reason = await reasonOf(run(world, variant as Example["input"]));
      if (reason !== "IDEMPOTENCY_KEY_REUSED") accepted.push(`${path}: ${reason}`);
    }
    expect(accepted).toEqual([]);
  },
);

/**
 * Returns a store that runs each transaction twice. The first run assumes that all keys are unused,
 * and leaves no trace in the store.
 */
function runningTwice(store: Store): Store {
  return Object.create(store, {
    update: {
      async value(scope: Scope, transact: (tx: Transaction) => Promise<unknown>) {
        const undone = new Error("undone");
        const first = store.update(scope, async (tx) => {
          const assuming = new Proxy(tx, {
            get: (target, name) => {
              if (name === "isUnused") return async () => true;
              const value: unknown = Reflect.get(target, name, target);
              if (typeof value !== "function") return value;
              return (...values: unknown[]): unknown => Reflect.apply(value, target, values);
            },
          });
          await transact(assuming).catch(() => undefined);
          throw undone;
        });
        await first.catch((error: unknown) => {
          if (error !== undone) throw error;
        });
        return store.update(scope, transact);
      },
    },
  }) as Store;
}

test.each(titled)(
  "a repeated %s gets the first reply, even if its transaction runs twice",
  async (_, example) => {
    const { input, run } = example;
    const world = await createWorld(runningTwice);
    const reply = await run(world, input);
    await world.memories.add(
      { namespace: { userId: "kim", agentId: "guide" }, content: "more" },
      call,
    );
    await world.blocks.put({ userId: "kim", label: "notes", body: "newer", writtenBy: "kim" });
    expect(await run(world, input)).toEqual(reply);
  },
);

/**
 * The digests that an earlier version of the server stored for the inputs of the examples. That
 * version digested only some fields of each RPC. Its replies stay valid for 24 hours, so a newer
 * server must still accept these digests.
 */
const earlierDigests: readonly (readonly [rpc: string, digest: string])[] = [
  ["Add", "f81763c9db408573de64541beb9114e4991618a932b8a5f960024057147050b3"],
  ["AddTrace", "635af6113ba9f6e16438e028ab15f6de2e97037d58d4886b17c34c98bf5137d1"],
  ["Update", "6feb63825a000081deefb1820d79d92cab60773eb8fff79f9cc1aa5d017b02ed"],
  ["Delete", "23d4e908f744e37c248231e33f406a516c099654ef5f782f2221985ca74132d4"],
  ["DeleteWhere", "57ea5bf3144b1ffe27f9054f4b7835c03d3f91f2d480f5f1e87e48ac23dd3c7a"],
  ["Reset", "14abb48a1d529b68e7cb2ec935625bbfcb6c3afc6b09960e60063ecaff24f64d"],
  ["Reset of everything", "678f26b3a08f63adc50d6ccae97365b8183b718789eb19fe1c19fc92119b817e"],
  ["PutBlock", "72231157a5744dc627b830cbde604afa0765c6cfd208f357c7f389358b5d937d"],
  ["DeleteBlock", "919f9a9598895d186d4a9ebdd0a2389456fe62053d72583303aef5c4874807a9"],
  ["RestoreBlock", "f038372d8bd319cae123f8da7749e723591a24a7b0437576c6c47503bb020810"],
  ["ProposeEdit", "02cb6e1c7daaf12b50cef79cb1b1b348ae4b7aff9fc82913ec133ff900fd6868"],
  ["ApproveProposal", "9bf0014762f98280567e5083d19c7e1f9c6642f0705338ab2516e805a3bef60e"],
  ["RejectProposal", "65577480cd591007e36c99b5a1963551e99dedc255a63bbde7e3b29922544e6c"],
  ["WriteKey", "c62ea10ff3ed0c3bbcb808291a6b352c8df0ae0ca86ce758059a2d1c78b1b2bf"],
  ["DeleteKey", "7408a455e2b28e13e0749108d4006c73011f89df40bd82d90d5162008164b342"],
  ["StoreSkill", "7abfe4641a145dec37ef3ead879fe5284f07701e68bcad4f3ea44d03981fc543"],
  ["DeleteSkill", "e449b2ffc31d4b304d241af2a6e6fa78fd46f6166b3087f6e56a5c3a1f0c2362"],
  ["UpdateSuccessCount", "27cb793d9d92c0f997003d0b88da579cf576119237b6e97531a4a31167a641cd"],
  ["PruneStale", "14abb48a1d529b68e7cb2ec935625bbfcb6c3afc6b09960e60063ecaff24f64d"],
  ["RegisterTool", "df6ad96504fa11bd1adcbb595a9337e8996e0272b66e22133458bd37847341c1"],
  ["DeleteTool", "a84f567847de7a36bd11c03f073e6bcafdc0ff7f89d42dde5f86a41157da7128"],
  ["SubmitToolResponse", "fd4a975e3a2c9ab1f619a98199ea125f56b6d0bcd3b59405bfea5f371b919ca2"],
];

test.each(earlierDigests)(
  "a repeated %s gets the reply that the server stored before an upgrade",
  async (title, digest) => {
    const [, example] = titled.find(([name]) => name === title) ?? [];
    if (example === undefined) throw new Error(`no example of ${title}`);
    const { rpc, scope, agentId, input, run } = example;
    const world = await createWorld();
    const reply = await run(world, input);
    await world.store.update(scope, async (tx) => {
      const key = replyKey(rpc, agentId, "key");
      const stored = await tx.get("replies", scope, key);
      if (stored === undefined) throw new Error("no reply was stored");
      tx.delete("replies", scope, key);
      const earlierKey = replyKey(rpc, undefined, "key");
      tx.put("replies", scope, earlierKey, { ...stored, requestDigest: digest });
    });
    expect(await run(world, input)).toEqual(reply);
  },
);

test("every RPC with an idempotency key has an example", () => {
  const titles = new Set(titled.map(([title]) => title));
  expect(earlierDigests.map(([title]) => title)).toEqual([...titles]);
});
