import { afterEach, describe } from "vitest";
import { describeStore } from "../../contract/store.js";
import { smallBuffers } from "../../faults/children/small-buffers.js";
import { isFullSuite } from "../../suite.js";
import { createTestFolder, openTestStore } from "./level-folder.js";

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

// The store below does all that this one does, and compacts meanwhile.
describe.runIf(isFullSuite)("with buffers as in use", () => {
  describeStore("the LevelDB store", async () =>
    openTestStore(await createTestFolder((end) => ends.push(end))),
  );
});

describeStore("the LevelDB store while it writes and merges tables", async () =>
  openTestStore(await createTestFolder((end) => ends.push(end)), {}, smallBuffers),
);
