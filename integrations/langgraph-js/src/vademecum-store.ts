import {
  BaseStore,
  type GetOperation,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchOperation,
  validateNamespace,
} from "@langchain/langgraph-checkpoint";
import pMap from "p-map";
import type { Memory } from "vademecum-client/v1/memory_pb.js";
import { itemOf, itemTag } from "./item-memory.js";
import { ItemReads, type Memories } from "./item-reads.js";
import { ItemWrites } from "./item-writes.js";

/** Options of a store. */
export interface VademecumStoreOptions {
  /**
   * Paths of the texts that searches examine, such as `["text", "chapters[*].content"]`. `put` can
   * override them. Default `["$"]`: the whole value.
   */
  readonly fields?: readonly string[];
}

/** Number of concurrent calls. The server combines concurrent writes into one synced step. */
const concurrency = 8;

/**
 * A LangGraph store that keeps items as memories of one Vademecum namespace. Stores with the same
 * user and agent see the same items, in any process or language. They never change or return other
 * memories of that namespace.
 */
export class VademecumStore extends BaseStore {
  readonly #reads: ItemReads;
  readonly #writes: ItemWrites;

  /**
   * @param memories the namespace that holds the items: `client.memories(userId, agentId)`. The
   * caller closes the client.
   */
  constructor(memories: Memories, { fields = ["$"] }: VademecumStoreOptions = {}) {
    super();
    this.#reads = new ItemReads(memories);
    this.#writes = new ItemWrites(memories, this.#reads, fields);
  }

  /**
   * Executes operations: first the reads, then the writes, so that reads see the state before the
   * writes. Of several puts of one item, the last put counts.
   *
   * @throws VademecumError if a call failed; earlier writes of the batch stay
   * @throws RangeError if a value, filter or namespace cannot be stored or searched; nothing was
   * written
   */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    for (const operation of operations) validatePaths(operation);
    const drafts = new Map(
      operations.filter(isPut).map((put) => [itemTag(put), this.#writes.draft(put)]),
    );
    const memoriesByTag = await this.#reads.find(operations.filter(isGet));
    const results = await pMap(operations, (operation) => this.#read(operation, memoriesByTag), {
      concurrency,
    });
    const known = await this.#reads.find(
      [...drafts.values()].filter(({ fields }) => fields !== undefined),
    );
    await pMap(drafts, ([tag, draft]) => this.#writes.write(draft, known.get(tag) ?? []), {
      concurrency,
    });
    return results as OperationResults<Op>;
  }

  async #read(
    operation: Operation,
    memoriesByTag: ReadonlyMap<string, readonly Memory[]>,
  ): Promise<unknown> {
    if (isSearch(operation)) return this.#reads.search(operation);
    if (isList(operation)) return this.#reads.listNamespaces(operation);
    if (!isGet(operation)) return undefined;
    const memory = memoriesByTag.get(itemTag(operation))?.[0];
    return memory === undefined ? null : itemOf(memory);
  }
}

function isSearch(operation: Operation): operation is SearchOperation {
  return "namespacePrefix" in operation;
}

function isPut(operation: Operation): operation is PutOperation {
  return "value" in operation;
}

function isGet(operation: Operation): operation is GetOperation {
  return "key" in operation && !("value" in operation);
}

function isList(operation: Operation): operation is ListNamespacesOperation {
  return !isSearch(operation) && !("key" in operation);
}

/**
 * The methods of BaseStore check namespaces; operations passed to `batch` are unchecked.
 *
 * @throws InvalidNamespaceError if a namespace is invalid
 */
function validatePaths(operation: Operation): void {
  const options = { allowEmpty: true, allowReservedRoot: true };
  if (isSearch(operation)) validateNamespace(operation.namespacePrefix, options);
  else if ("key" in operation) validateNamespace(operation.namespace, options);
  else for (const { path } of operation.matchConditions ?? []) validateNamespace(path, options);
}
