import type { Block, BlockContent } from "../model/block.js";
import { VademecumError } from "../model/errors.js";
import { userScope } from "../model/namespace.js";
import { replyOnce } from "../requests/idempotency.js";
import type { PutBlockInput } from "./block-service.js";
import type { BlockServiceParts } from "./create-block-service.js";
import { writeBlock } from "./records.js";

/** Writes a block, new or as the next version. */
export async function putBlock(
  { store, tokens, clock }: BlockServiceParts,
  input: PutBlockInput,
): Promise<Block> {
  const { userId, label, body, expectedVersion, writtenBy, idempotencyKey } = input;
  const nowMs = clock.nowMs();
  const tokenCount = tokens.count(body);
  const scope = userScope(userId);
  const { idempotencyKey: _key, writtenBy: _writer, ...request } = input;
  const { result } = await store.update(scope, (tx) =>
    replyOnce(tx, scope, { rpc: "PutBlock", idempotencyKey, request, nowMs }, async () => {
      const previous = await tx.get("blocks", scope, label);
      requireVersion(label, previous, expectedVersion);
      const timeMs = tx.commitTimeMs(nowMs);
      const next = {
        userId,
        label,
        content: nextContent(input, previous),
        tokenCount,
        previous,
        origin: { writtenBy },
      };
      const { body: _body, ...reply } = writeBlock(tx, next, timeMs);
      return reply;
    }),
  );
  // A repeated call brings the body along, so no reply has to keep it.
  return { ...result, body };
}

/** What the next version says: a title or reference that is absent stays as it is, an empty one goes away. */
function nextContent(input: PutBlockInput, previous: Block | undefined): BlockContent {
  const { title = previous?.title, schemaRef = previous?.schemaRef } = input;
  return { body: input.body, ...(title ? { title } : {}), ...(schemaRef ? { schemaRef } : {}) };
}

function requireVersion(
  label: string,
  previous: Block | undefined,
  expectedVersion: number | undefined,
): void {
  const version = previous?.version ?? 0;
  if (expectedVersion === undefined || expectedVersion === version) return;
  const found =
    previous === undefined
      ? `there is no block '${label}'`
      : `block '${label}' is at version ${version}, not ${expectedVersion}`;
  throw new VademecumError(
    "ABORTED",
    "VERSION_MISMATCH",
    `expected_version: ${found}; read it again and repeat the change`,
    {
      fields: [
        { field: "expected_version", description: `must be ${version}, the block's version now` },
      ],
    },
  );
}
