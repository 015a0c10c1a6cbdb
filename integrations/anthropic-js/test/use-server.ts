import { connect } from "vademecum-client";
import { afterAll, beforeAll } from "vitest";
import { serveTests, type TestServer } from "../../contract/typescript/index.js";
import { type MemoryToolOptions, type Scope, VademecumMemoryTool } from "../src/index.js";

const served = serveTests({ beforeAll, afterAll, connect });

/** Returns the server for the tests of a file. */
export function useServer(): TestServer {
  return served.server;
}

/** Returns a user that no other test has. */
export function newScope(): Scope {
  return { ...served.newScope(), agentId: "claude" };
}

/** Returns a tool of a new user that writes directly. */
export function newTool(options?: MemoryToolOptions): VademecumMemoryTool {
  return new VademecumMemoryTool(newScope(), { approval: "none", ...options });
}
