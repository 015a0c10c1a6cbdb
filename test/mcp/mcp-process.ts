import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The built program, which MCP hosts start. */
export const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** An MCP server over HTTP in its own process. */
export interface McpProcess {
  readonly url: URL;
  /** The header that callers must send. Absent: none. */
  readonly authorization?: string;
  /** Sends SIGTERM and returns the exit code. */
  end(): Promise<number | null>;
}

/** Starts `mcp --listen` on a free port and waits until it is ready. */
export async function startMcpProcess(
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<McpProcess> {
  const child = spawn(process.execPath, [program, "mcp", "--listen", "127.0.0.1:0", ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
    env,
  });
  const exited = once(child, "exit") as Promise<[number | null]>;
  const line = await Promise.race([
    once(createInterface(child.stdout), "line") as Promise<[string]>,
    exited,
  ]);
  if (typeof line[0] !== "string") throw new Error(`mcp ended with ${line[0]}`);
  const { mcp, ...header } = JSON.parse(line[0]) as { mcp: string; authorization?: string };
  return {
    url: new URL(mcp),
    ...header,
    async end() {
      child.kill("SIGTERM");
      return (await exited)[0];
    },
  };
}
