import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createMcpServer } from "./mcp-server.js";
import type { ToolCalls } from "./tool-calls.js";

/**
 * Serves the host that has started this process, over its standard input and output. Resolves when the host has closed the input and has the answers to all it asked.
 * @throws Error if the input cannot be read any further, as after a message of more than 10 MiB
 */
export async function serveStdio(
  tools: ToolCalls,
  stdin: Readable,
  stdout: Writable,
): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const track = <T>(call: Promise<T>): Promise<T> => {
    running.add(call);
    return call.finally(() => running.delete(call));
  };
  const server = createMcpServer({
    definitions: (signal) => track(tools.definitions(signal)),
    call: (toolName, given, signal) => track(tools.call(toolName, given, signal)),
  });
  let lastError: Error | undefined;
  server.onerror = (error) => {
    lastError = error;
  };
  const gaveUp = new Promise<never>((_, reject) => {
    server.onclose = () => reject(lastError ?? new Error("the connection was closed"));
  });
  const ended = once(stdin, "end");
  await server.connect(new StdioServerTransport(stdin, stdout));
  await Promise.race([ended, gaveUp]);
  await Promise.allSettled(running);
  // The SDK writes an answer some promises after the call that it is of.
  await setImmediate();
  await server.close();
}
