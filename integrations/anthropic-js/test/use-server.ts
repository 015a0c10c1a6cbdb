import { type Client, connect } from "vademecum-client";
import { afterAll, beforeAll } from "vitest";
import { TestServer } from "../../contract/typescript/index.js";
import { type MemoryToolOptions, type Scope, VademecumMemoryTool } from "../src/index.js";

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

/** Returns a user that no other test has. */
export function newScope(): Scope {
  if (client === undefined) throw new Error("call useServer first");
  return { client, userId: `user-${++users}`, agentId: "claude" };
}

/** Returns a tool of a new user that writes directly. */
export function newTool(options?: MemoryToolOptions): VademecumMemoryTool {
  return new VademecumMemoryTool(newScope(), { approval: "none", ...options });
}
