import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { userScope } from "../../../src/core/model/namespace.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { describeStore } from "../../contract/store.js";

describeStore("the in-memory store", async () => createInMemoryStore());

it("reads of an unknown scope leave nothing in the in-memory store", async () => {
  const store = createInMemoryStore("epoch");
  const readUnknown = async () => {
    const scope = userScope("unknown");
    expect(await store.head(scope)).toEqual({ epoch: "epoch", seq: 0 });
    await using snapshot = await store.snapshot(scope);
    expect(await snapshot.count("blocks", scope)).toBe(0);
    await using reader = await store.openScope(scope);
    expect(reader.state).toEqual({ scope, head: { epoch: "epoch", seq: 0 }, lastTimeMs: 0 });
    return new WeakRef(scope);
  };
  const scope = await readUnknown();
  // A WeakRef keeps its target alive until the turn of the event loop ends.
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  expect(scope.deref()).toBeUndefined();
  await store.close();
});
