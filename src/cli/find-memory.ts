import type { Namespace } from "#gen/vademecum/v1/memory_pb.js";
import type { ServerCall } from "./client-command.js";
import { isWholeId, missing, onlyOne } from "./short-ids.js";

/**
 * Returns the id of the memory that a whole or a shortened id names. Finds superseded and expired
 * memories too.
 *
 * @throws CommandFailure when no memory of the namespace, or more than one, has a shortened id
 */
export async function findMemory(
  { connection, options }: Pick<ServerCall, "connection" | "options">,
  namespace: Pick<Namespace, "userId" | "agentId">,
  given: string,
): Promise<string> {
  if (isWholeId(given)) return given;
  const text = given.toLowerCase();
  // Anything else is in no id.
  if (/^[\da-f-]{4,}$/.test(text)) {
    const filter = { expression: `id.startsWith("${text}") || id.endsWith("${text}")` };
    const { memories } = await connection.memoryProvider.getAll(
      { namespace, filter, limit: 5, includeSuperseded: true, includeExpired: true },
      options,
    );
    const memory = onlyOne(
      memories.map(({ id }) => ({ id })),
      given,
      "memories",
    );
    if (memory !== undefined) return memory.id;
  }
  return missing(given, "this namespace has no memory", "list");
}
