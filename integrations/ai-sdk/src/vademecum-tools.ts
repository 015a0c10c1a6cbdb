import { jsonSchema, type ToolSet, tool } from "ai";
import { checkIds } from "vademecum-client/adapters";
import { ToolFormat } from "vademecum-client/v1/toolset_pb.js";
import type { Scope } from "./scope.js";

/** Options of the tools. */
export interface ToolOptions {
  /** The toolsets (docs/guides/toolsets.md). Default: `memory` and `blocks`. */
  readonly toolsets?: readonly string[];
  /**
   * The time zone in which `search_memory` counts days, such as `Europe/Madrid`. Default: the time
   * zone of the server.
   */
  readonly timeZone?: string;
}

/** A definition of a tool, as the server returns it. */
interface Definition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Parameters<typeof jsonSchema>[0];
}

type Arguments = NonNullable<
  Parameters<ReturnType<Scope["client"]["tools"]>["dispatch"]>[0]
>["arguments"];

/**
 * Returns tools with which a model searches, adds, corrects and forgets memories of a user, reads
 * the user's blocks, and proposes edits of them. Names, descriptions and schemas come from the
 * server.
 *
 * A tool returns a text for the model. If it cannot do what the model asks, it throws an `Error`.
 * The AI SDK then gives the message, which says why, to the model.
 *
 * @throws TypeError when `userId` or `agentId` is missing
 * @throws VademecumError when the server does not return the definitions
 */
export async function vademecumTools(
  { client, userId, agentId }: Scope,
  { toolsets = ["memory", "blocks"], timeZone = "" }: ToolOptions = {},
): Promise<ToolSet> {
  checkIds({ userId, agentId });
  const server = client.tools();
  const replies = await Promise.all(
    toolsets.map((toolset) => server.getDefinitions({ toolset, format: ToolFormat.MCP })),
  );
  const definitions = replies.flatMap((it) => it.definitions) as unknown as Definition[];
  return Object.fromEntries(
    definitions.map(({ name, description, inputSchema }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<NonNullable<Arguments>>(inputSchema),
        async execute(input, { abortSignal }) {
          const { result, isError } = await server.dispatch(
            { namespace: { userId, agentId }, toolName: name, arguments: input, timeZone },
            abortSignal === undefined ? {} : { signal: abortSignal },
          );
          if (isError) throw new Error(result);
          return result;
        },
      }),
    ]),
  );
}
