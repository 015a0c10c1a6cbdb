import pg from "pg";
import { expect, it } from "vitest";
import { DirectSession } from "../../../src/store/postgres/direct-session.js";
import { ConnectionLost } from "../../../src/store/postgres/errors.js";
import type { Connection } from "../../../src/store/postgres/session/connection.js";

/** Creates a connection that counts its notifications, and may refuse LISTEN. */
function createConnection(refusesListen: boolean) {
  let tellLost: (lost: ConnectionLost) => void = () => undefined;
  const state = { notified: 0, isEnded: false };
  const connection: Pick<Connection, "isUsable" | "run" | "end" | "onLost" | "onNotification"> = {
    isUsable: true,
    async run(text) {
      if (refusesListen && text.startsWith("listen"))
        throw Object.assign(new pg.DatabaseError("a standby cannot LISTEN", 0, "error"), {
          code: "25006",
        });
      if (text.includes("pg_notify")) state.notified++;
      return { rows: [], command: "", count: 0 };
    },
    async end() {
      state.isEnded = true;
    },
    onLost: (listener) => {
      tellLost = listener;
    },
    onNotification: () => undefined,
  };
  return {
    state,
    connection: connection as Connection,
    lose: () => tellLost(new ConnectionLost("lost")),
  };
}

it("a session on a server that refuses LISTEN is ended, and does not disturb the next session", async () => {
  const refused = createConnection(true);
  const good = createConnection(false);
  const waiting = [refused, good];
  const session = new DirectSession({
    open: async () => {
      const next = waiting.shift();
      if (next === undefined) throw new Error("a third session was opened");
      return next.connection;
    },
    stateOf: async () => "",
    prunesDaily: true,
    log: () => undefined,
  });
  await session.notify("a");
  expect(refused.state.isEnded).toBe(true);
  await session.notify("b");
  refused.lose();
  await session.notify("c");
  expect(good.state.notified).toBe(2);
  await session.close();
  expect(good.state.isEnded).toBe(true);
});
