import { type Client, connect } from "vademecum-client";
import { afterAll, beforeAll } from "vitest";
import { TestServer } from "../../contract/typescript/index.js";
import { type SessionOptions, VademecumSession } from "../src/index.js";

let client: Client | undefined;
let users = 0;

/** Runs a server for the tests of a file. */
export function useServer(): TestServer {
  const server = new TestServer();
  beforeAll(async () => {
    await server.start();
    client = connect(server.address);
  });
  afterAll(async () => {
    client?.close();
    await server.remove();
  });
  return server;
}

/** Returns the conversation of a user that no other test has. */
export function newOptions(): SessionOptions {
  if (client === undefined) throw new Error("call useServer first");
  return { client, userId: `user-${++users}`, agentId: "guide", sessionId: "chat" };
}

/** Returns the session of a user that no other test has. */
export function newSession(): VademecumSession {
  return new VademecumSession(newOptions());
}
