import type { Allowance } from "../model/allowance.js";
import type { Block, BlockVersion } from "../model/block.js";
import { invalidField, VademecumError } from "../model/errors.js";
import { userScope } from "../model/namespace.js";
import { blockVersionKey } from "../model/record-keys.js";
import type { Transaction } from "../ports/store.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { moveProposals } from "../proposal-records/move-proposals.js";
import { mutate } from "../requests/mutate.js";
import { createPause } from "../requests/pause.js";
import { blockNotFound, findBlock, readVersion, requireVersion } from "./records.js";
import type { BlockServiceParts, RenameBlockInput } from "./service.js";

/** Maximum size of the records that one call rewrites, in bytes of JSON. */
const movedMaxBytes = 64 * 1024 * 1024;

/** Gives a block another label. Keeps its versions and proposals. */
export async function renameBlock(
  parts: BlockServiceParts,
  input: RenameBlockInput,
  allowance?: Allowance,
): Promise<Block> {
  const { userId, label, newLabel, expectedVersion } = input;
  if (label === newLabel) throw invalidField("new_label", "must differ from label");
  const scope = userScope(userId);
  const outcome: { block?: Block } = {};
  const mutation = {
    ...{ rpc: "RenameBlock", target: scope, input, allowance },
    async stands(tx: Transaction, reply: RenameReply) {
      const found = await findBlock(tx, userId, newLabel, reply.createSeq);
      if (found !== undefined) outcome.block = found;
      return found !== undefined;
    },
  };
  await changeProposals(parts, userId, (changed) =>
    mutate<RenameReply>(parts, mutation, async (tx) => {
      const block = await tx.get("blocks", scope, label);
      if (block === undefined) throw blockNotFound(label);
      requireVersion(label, block, expectedVersion);
      if ((await tx.get("blocks", scope, newLabel)) !== undefined) throw blockExists(newLabel);
      const renamed = { ...block, label: newLabel };
      tx.delete("blocks", scope, label);
      tx.put("blocks", scope, newLabel, renamed);
      const size = new MovedSize(label);
      await moveVersions(tx, userId, block, newLabel, size);
      for (const id of await moveProposals(tx, userId, { label, newLabel }, (one) => size.add(one)))
        changed.add(id);
      outcome.block = renamed;
      return { createSeq: block.createSeq };
    }),
  );
  return outcome.block as Block;
}

/** The stored reply: which block was renamed. */
interface RenameReply {
  readonly createSeq: number;
}

async function moveVersions(
  tx: Transaction,
  userId: string,
  { label, version: newest }: Block,
  newLabel: string,
  size: MovedSize,
): Promise<void> {
  const scope = userScope(userId);
  const pause = createPause();
  for (let number = 1; number <= newest; number++) {
    await pause();
    const version: BlockVersion | undefined = await readVersion(tx, userId, label, number);
    // A backup of damaged data may lack a version.
    if (version === undefined) continue;
    size.add(version);
    tx.delete("blockVersions", scope, blockVersionKey(label, number));
    tx.put("blockVersions", scope, blockVersionKey(newLabel, number), version);
  }
}

/** Adds up the sizes of rewritten records, which a transaction keeps in RAM. */
class MovedSize {
  #bytes = 0;

  constructor(private readonly label: string) {}

  add(record: object): void {
    this.#bytes += Buffer.byteLength(JSON.stringify(record));
    if (this.#bytes <= movedMaxBytes) return;
    throw new VademecumError(
      "FAILED_PRECONDITION",
      "BLOCK_TOO_LARGE",
      `the versions and proposals of block '${this.label}' have more than 64 MiB together, the ` +
        "most that one call renames; put its text into a new block instead",
    );
  }
}

function blockExists(label: string): VademecumError {
  const description = `a block '${label}' exists already; choose another label or delete it first`;
  return new VademecumError("FAILED_PRECONDITION", "BLOCK_EXISTS", description, {
    field: "new_label",
  });
}
