import { afterEach } from "vitest";
import { describeStore } from "../../contract/store.js";
import { smallBuffers } from "../../faults/children/small-buffers.js";
import { createTestFolder, openTestStore } from "./level-folder.js";

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

describeStore("the LevelDB store", async () =>
  openTestStore(await createTestFolder((end) => ends.push(end))),
);

describeStore("the LevelDB store while it writes and merges tables", async () =>
  openTestStore(await createTestFolder((end) => ends.push(end)), {}, smallBuffers),
);
