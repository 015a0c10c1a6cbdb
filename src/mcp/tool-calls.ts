import type { JsonObject } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import type { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import type { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { ToolFormat } from "#gen/vademecum/v1/toolset_pb.js";
import { isWellFormed } from "../edge/well-formed.js";
import { type BlockResources, createBlockResources } from "./block-resources.js";
import { offeredDefinition, ownNameOf } from "./offered-tools.js";

/**
 * How long a call to the server may take, in milliseconds. Equal to the server's default deadline.
 */
const callTimeoutMs = 30_000;

/** The run and the namespace that the tools of an MCP server work on. At least one is given. */
export interface ToolHost {
  /** The run of the toolset `key_value`. Without it, the toolset is not offered. */
  readonly runId?: string;
  /**
   * The user and agent of the toolsets `blocks` and `memory`. Without a namespace, these toolsets
   * are not offered.
   */
  readonly namespace?: { readonly userId: string; readonly agentId: string };
  /** The time zone in which the days of a query count. Absent: the server's. */
  readonly timeZone?: string;
}

/** The result of a tool call, as text for the model. */
export interface ToolCallResult {
  readonly result: string;
  readonly isError: boolean;
  /** The same as values, if the definition of the tool has an `outputSchema`. */
  readonly structured?: JsonObject | undefined;
}

/** The tools of a Vademecum server, for one host. */
export interface ToolCalls {
  /**
   * Returns the MCP definitions of all tools that the host can use.
   *
   * @throws Error when the call fails, with a message for a person
   */
  definitions(signal: AbortSignal): Promise<JsonObject[]>;
  /**
   * Runs a tool, by the name in its definition. A failed call to the server becomes a result with
   * `isError`.
   */
  call(
    toolName: string,
    toolArguments: JsonObject | undefined,
    signal: AbortSignal,
  ): Promise<ToolCallResult>;
  /** The blocks of the user. Absent without a namespace. Failed calls reject as `definitions`. */
  readonly resources?: BlockResources | undefined;
}

/** The connection to a Vademecum server. */
export interface ToolConnection {
  readonly tools: Client<typeof ToolService>;
  readonly blocks: Client<typeof BlockService>;
  /** Drops the connection. The next call opens a new one. */
  reconnect(): void;
}

/** Toolsets, by what they need from the host. */
const toolsetsOfRun = ["key_value"];
const toolsetsOfNamespace = ["blocks", "memory"];

/**
 * Creates the tools of `host` on a connection.
 *
 * A call that exceeds `timeoutMs` drops the connection. After the machine has slept, for example, a
 * connection can be dead although neither side has closed it, and all later calls would time out
 * too.
 */
export function createToolCalls(
  connection: ToolConnection,
  host: ToolHost,
  timeoutMs = callTimeoutMs,
): ToolCalls {
  const { tools } = connection;
  const handleFailure = (error: unknown): string => {
    if (ConnectError.from(error).code === Code.DeadlineExceeded) connection.reconnect();
    return failureText(error);
  };
  const resourcesOf = (userId: string): BlockResources => {
    const resources = createBlockResources(connection.blocks, userId);
    const named = async <T>(call: Promise<T>): Promise<T> =>
      call.catch((error: unknown) => {
        if (error instanceof McpError) throw error;
        throw new Error(handleFailure(error), { cause: error });
      });
    return {
      list: (cursor, options) => named(resources.list(cursor, { timeoutMs, ...options })),
      read: (uri, options) => named(resources.read(uri, { timeoutMs, ...options })),
    };
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
        return replies.flatMap(({ definitions }) => definitions).map(offeredDefinition);
      } catch (error) {
        throw new Error(handleFailure(error), { cause: error });
      }
    },
    ...(namespace !== undefined && { resources: resourcesOf(namespace.userId) }),
    async call(toolName, toolArguments = {}, signal) {
      try {
        if (!isWellFormed(toolArguments)) {
          return {
            result: `Error: Invalid arguments for tool '${toolName}': they have a lone surrogate`,
            isError: true,
          };
        }
        const ownName = ownNameOf(toolName);
        const request = { ...host, toolName: ownName, arguments: toolArguments };
        const { result, isError, structured } = await tools.dispatch(request, {
          signal,
          timeoutMs,
        });
        // The errors of the server name the tool as the server calls it.
        const named = isError ? result.replace(`tool '${ownName}'`, `tool '${toolName}'`) : result;
        return { result: named, isError, structured };
      } catch (error) {
        const reason = handleFailure(error);
        return { result: `Error executing tool '${toolName}': ${reason}`, isError: true };
      }
    },
  };
}

function failureText(error: unknown): string {
  const { code, rawMessage } = ConnectError.from(error);
  if (code === Code.Unavailable)
    return `the memory server does not answer (${rawMessage}); start it with \`vademecum serve\``;
  return rawMessage;
}
