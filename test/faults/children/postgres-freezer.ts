/**
 * Writes a record to a store in PostgreSQL. Freezes while it holds the lock of the user's head,
 * until SIGCONT. Reports the lock and the commit on standard output.
 */

import { writeSync } from "node:fs";
import { kill, pid } from "node:process";
import { openPostgresStore } from "../../../src/store/postgres/open-postgres-store.js";
import { postgresTarget } from "../../../src/store/postgres/session/target.js";
import { userScope } from "./plan.js";

const [url = "", userId = ""] = process.argv.slice(2);
const store = await openPostgresStore({
  targets: [postgresTarget(url, { password: undefined, ca: undefined })],
});
let isFirst = true;
const { head } = await store.update(userScope(userId), async (tx) => {
  tx.put("replyExpiries", userScope(userId), "frozen", "value");
  if (!isFirst) return;
  isFirst = false;
  writeSync(1, "locked\n");
  kill(pid, "SIGSTOP");
});
writeSync(1, `committed ${head.seq}\n`);
await store.close();
