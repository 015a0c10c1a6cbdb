/**
 * Writes until writing has failed twice and the store has recovered each time. Reports each
 * acknowledged commit and each recovery on standard output.
 */
import { writeSync } from "node:fs";
import { openTestStore } from "../../store/level/level-folder.js";
import { userScope, users, writeNext } from "./plan.js";

const failuresToSee = 2;

const [folder = ""] = process.argv.slice(2);
const [userId = ""] = users;
let onRecovered = (): void => undefined;
const store = await openTestStore(folder, { onRecovered: () => onRecovered() });
for (let failures = 0; failures < failuresToSee; ) {
  const recovered = new Promise<void>((resolve) => {
    onRecovered = resolve;
  });
  try {
    const { head } = await store.update(userScope(userId), (tx) => writeNext(tx, userId));
    writeSync(1, `${head.seq}\n`);
  } catch {
    await recovered;
    writeSync(1, "recovered\n");
    failures++;
  }
}
await store.close();
