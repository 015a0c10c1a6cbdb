import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createMcpServer } from "./mcp-server.js";
import type { ToolCalls } from "./tool-calls.js";

/**
 * Serves the host that started this process, over standard input and output. Resolves when the host
 * has closed the input and all its requests are answered.
 *
 * @throws Error when the input cannot be read any further, for example after a message of more than
 * 10 MiB
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
  const { resources } = tools;
  const server = createMcpServer({
    definitions: (signal) => track(tools.definitions(signal)),
    call: (toolName, toolArguments, signal) => track(tools.call(toolName, toolArguments, signal)),
    resources: resources && {
      list: (cursor, options) => track(resources.list(cursor, options)),
      read: (uri, options) => track(resources.read(uri, options)),
    },
  });
  let lastError: Error | undefined;
  const keepError = (error: Error): void => {
    lastError = error;
  };
  server.onerror = keepError;
  const inputFailure = new Promise<never>((_, reject) => {
    const fail = (): void => reject(lastError ?? new Error("the connection was closed"));
    server.onclose = fail;
  });
  const inputEnd = once(stdin, "end");
  await server.connect(new StdioServerTransport(stdin, stdout));
  await Promise.race([inputEnd, inputFailure]);
  await Promise.allSettled(running);
  // The SDK writes a response only after a few more promises have resolved.
  await setImmediate();
  await server.close();
}
