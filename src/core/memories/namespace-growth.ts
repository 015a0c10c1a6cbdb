import type { Namespace } from "../model/namespace.js";
import { type NamespaceSizes, namespaceSizes, namespaceTooLarge } from "../model/namespace-size.js";
import type { Committed, Transaction } from "../ports/store.js";
import {
  type Mutation,
  type MutationParts,
  mutateWithHead,
  type Write,
} from "../requests/mutate.js";
import type { AddParts } from "./service.js";

/** The dependencies of a mutation that adds memories. */
type GrowthParts = MutationParts & Pick<AddParts, "sizes" | "onLargeNamespace">;

/** A mutation that adds memories to a namespace. `mutateGrowing` needs `onRun` for itself. */
type Addition<T> = Mutation<T> & { readonly target: Namespace; readonly onRun?: never };

/**
 * Does the same as `mutateWithHead` for a mutation that adds memories.
 *
 * @throws RESOURCE_EXHAUSTED (NAMESPACE_TOO_LARGE) when the namespace would hold more memories than
 *   `sizes.max`
 */
export async function mutateGrowing<T>(
  parts: GrowthParts,
  mutation: Addition<T>,
  write: Write<T>,
): Promise<Committed<T>> {
  const { sizes = namespaceSizes, onLargeNamespace } = parts;
  const { target, nowMs = parts.clock.nowMs() } = mutation;
  let outgrownWith: number | undefined;
  const onRun = (): void => {
    outgrownWith = undefined;
  };
  const growing = { ...mutation, nowMs, onRun };
  const committed = await mutateWithHead<T>(parts, growing, async (tx, _, earlier) => {
    const before = tx.countAtMost("memories", target);
    const result = await write(tx, nowMs, earlier);
    const after = await countWithin(tx, target, sizes);
    outgrownWith = before <= sizes.supported && after > sizes.supported ? after : undefined;
    return result;
  });
  if (outgrownWith !== undefined) onLargeNamespace?.(target, outgrownWith);
  return committed;
}

/** Returns an upper bound of the number of memories. */
async function countWithin(
  tx: Transaction,
  namespace: Namespace,
  sizes: NamespaceSizes,
): Promise<number> {
  const atMost = tx.countAtMost("memories", namespace);
  if (atMost <= sizes.max) return atMost;
  const memories = await tx.count("memories", namespace);
  if (memories > sizes.max) throw namespaceTooLarge(memories, sizes);
  return memories;
}
