import type { JsonObject } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import type { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { ToolFormat } from "#gen/vademecum/v1/toolset_pb.js";
import { isWellFormed } from "../well-formed.js";

/** How long a call to the server may take, in milliseconds: as long as it works on a call without a deadline. */
const callTimeoutMs = 30_000;

/** For whom the tools of an MCP server work. At least one of the two. */
export interface ToolHost {
  /** The run of the toolset `key_value`. Absent: its tools are not offered. */
  readonly runId?: string;
  /** The user and agent of the toolsets `blocks` and `memory`. Absent: their tools are not offered. */
  readonly namespace?: { readonly userId: string; readonly agentId: string };
}

/** What the server answered to the call of a tool, in words for the model. */
export interface ToolAnswer {
  readonly result: string;
  readonly isError: boolean;
}

/** The tools of a Vademecum server, for one host. */
export interface ToolCalls {
  /** Definitions for MCP of all tools that the host can use. @throws Error in words for a person if the server does not answer */
  definitions(signal: AbortSignal): Promise<JsonObject[]>;
  /** Runs a tool. A server that does not answer is an answer too. */
  call(toolName: string, given: JsonObject | undefined, signal: AbortSignal): Promise<ToolAnswer>;
}

/** How the server is reached. */
export interface ToolConnection {
  readonly tools: Client<typeof ToolService>;
  /** Drops the connection; the next call opens another. */
  reconnect(): void;
}

/** Toolsets by what they need of the host. */
const toolsetsOfRun = ["key_value"];
const toolsetsOfNamespace = ["blocks", "memory"];

/**
 * Calls about `host` to the server behind a connection. Each call may take `timeoutMs`. After one that took longer the connection is dropped:
 * it may be dead without anybody having closed it, as after a sleep of the machine, and all later calls would wait in vain too.
 */
export function createToolCalls(
  connection: ToolConnection,
  host: ToolHost,
  timeoutMs = callTimeoutMs,
): ToolCalls {
  const { tools } = connection;
  const failed = (error: unknown): string => {
    if (ConnectError.from(error).code === Code.DeadlineExceeded) connection.reconnect();
    return failureText(error);
  };
  const { runId, namespace } = host;
  const toolsets = [
    ...(runId === undefined ? [] : toolsetsOfRun),
    ...(namespace === undefined ? [] : toolsetsOfNamespace),
  ];
  return {
    async definitions(signal) {
      const format = ToolFormat.MCP;
      const options = { signal, timeoutMs };
      try {
        const replies = await Promise.all(
          toolsets.map((toolset) => tools.getToolDefinitions({ toolset, format }, options)),
        );
        return replies.flatMap(({ definitions }) => definitions);
      } catch (error) {
        throw new Error(failed(error), { cause: error });
      }
    },
    async call(toolName, given = {}, signal) {
      try {
        if (!isWellFormed(given)) {
          return {
            result: `Error: Invalid arguments for tool '${toolName}': they have half of a surrogate pair`,
            isError: true,
          };
        }
        return await tools.dispatch({ ...host, toolName, arguments: given }, { signal, timeoutMs });
      } catch (error) {
        return { result: `Error executing tool '${toolName}': ${failed(error)}`, isError: true };
      }
    },
  };
}

function failureText(error: unknown): string {
  const { code, rawMessage } = ConnectError.from(error);
  // A connection that is lost in a call ends it with CANCELED.
  if (code === Code.Unavailable || code === Code.Canceled)
    return `the memory server does not answer (${rawMessage}); start it with \`vademecum serve\``;
  return rawMessage;
}
