import { fromJsonString } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect } from "vitest";
import { type Memory, MemorySchema } from "#gen/vademecum/v1/memory_pb.js";
import { AddResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { type CommandRun, type CommandSurroundings, runCommand } from "./run-command.js";

/** Runs commands for one user. */
export type Shell = (
  args: readonly string[],
  surroundings?: CommandSurroundings,
) => Promise<CommandRun>;

let users = 0;

/**
 * Starts a server for the tests of a file. Returns a function that creates a shell for a new user,
 * so that tests do not see each other's memories.
 */
export function useShells(): () => Shell {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ provider: "memory", embedder: "none" });
  });
  afterAll(() => server.stop());
  return () => {
    const environment = {
      VADEMECUM_SERVER: server.grpcUrl,
      VADEMECUM_USER: `user-${++users}`,
      VADEMECUM_AGENT: "sommelier",
    };
    return (args, surroundings = {}) => runCommand(args, { ...surroundings, environment });
  };
}

/** Returns the memories that `list --json` has printed, one a line. */
export function listedMemories(stdout: string): Memory[] {
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => fromJsonString(MemorySchema, line));
}

/** Stores a memory and returns its id. */
export async function add(shell: Shell, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await shell(["add", "--json", ...args]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return fromJsonString(AddResponseSchema, stdout).id;
}
