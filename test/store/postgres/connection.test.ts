import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { ConnectionLost } from "../../../src/store/postgres/errors.js";
import { Connection } from "../../../src/store/postgres/session/connection.js";
import { postgresTarget } from "../../../src/store/postgres/session/target.js";

it("opening a connection that breaks during the login rejects with ConnectionLost", async () => {
  const server = createServer((socket) => socket.once("data", () => socket.end()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const target = postgresTarget(`postgres://owner@127.0.0.1:${port}/postgres`, {
    password: undefined,
    ca: undefined,
  });
  const opening = Connection.open(target, { connectMs: 5_000, answerMs: 5_000 });
  await expect(opening).rejects.toBeInstanceOf(ConnectionLost);
  server.close();
});
