import { isDeepStrictEqual } from "node:util";
import { stringify } from "safe-stable-stringify";
import { invalidField, type VademecumError } from "../model/errors.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import type { Store } from "../ports/store.js";
import type { MemoryRecord } from "./export-record.js";

/** Maximum number of links in one transaction. */
const groupSizeMax = 256;

/** A memory whose successor has not come yet. `number` is that of its record, from 1. */
interface OpenLink {
  readonly number: number;
  readonly namespace: Namespace;
  readonly id: string;
  readonly successor: string;
}

/** A link to a memory that does not exist. */
export interface LostLink {
  readonly number: number;
  readonly error: VademecumError;
}

/**
 * The links of imported memories to their successors. A successor may come later than the memory,
 * or may be in the store already.
 */
export class SuccessorLinks {
  readonly #open = new Map<string, OpenLink[]>();
  /** The memories so far. A dry run does not find them in the store. */
  readonly #seen = new Set<string>();

  constructor(
    private readonly store: Pick<Store, "update">,
    private readonly isDry: boolean,
  ) {}

  /** Notes a memory that was stored, or would be. */
  add(number: number, { namespace, version: { memory } }: MemoryRecord): void {
    const { id, supersededBy: successor } = memory;
    const name = stringify([namespace, id]);
    this.#open.delete(name);
    if (this.isDry) this.#seen.add(name);
    if (successor === undefined) return;
    const key = stringify([namespace, successor]);
    if (this.#seen.has(key)) return;
    const links = this.#open.get(key) ?? [];
    this.#open.set(key, links);
    links.push({ number, namespace, id, successor });
  }

  /** Removes the links to memories that do not exist. Call it after the last record. */
  async removeLost(): Promise<readonly LostLink[]> {
    const lost: LostLink[] = [];
    const open = [...this.#open.values()].flat();
    while (open.length > 0) {
      const { namespace } = open[0] as OpenLink;
      const end = open.findIndex((link) => !isDeepStrictEqual(link.namespace, namespace));
      const links = open.splice(0, Math.min(end < 0 ? open.length : end, groupSizeMax));
      for (const link of await this.#removeIn(namespace, links))
        lost.push({ number: link.number, error: lostLink(link) });
    }
    return lost;
  }

  async #removeIn(namespace: Namespace, links: readonly OpenLink[]): Promise<readonly OpenLink[]> {
    const { result } = await this.store.update(scopeOf(namespace), async (tx) => {
      const lost: OpenLink[] = [];
      for (const link of links) {
        if ((await tx.get("memories", namespace, link.successor)) !== undefined) continue;
        const memory = await tx.get("memories", namespace, link.id);
        if (!this.isDry && memory?.supersededBy !== link.successor) continue;
        lost.push(link);
        if (this.isDry || memory === undefined) continue;
        const { supersededBy: _, ...current } = memory;
        tx.put("memories", namespace, link.id, current);
      }
      return lost;
    });
    return result;
  }
}

function lostLink({ successor }: OpenLink): VademecumError {
  return invalidField(
    "superseded_by",
    `names memory '${successor}', which neither the import nor the namespace has; the memory is ` +
      "stored without it, so that it is current",
  );
}
