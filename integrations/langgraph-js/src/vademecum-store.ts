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
import { addAll } from "vademecum-client/adapters";
import { externalIdOf, memoryOf } from "./item-memory.js";
import { ItemReads, type Memories } from "./item-reads.js";

/** Options of a store. */
export interface VademecumStoreOptions {
  /**
   * Paths of the texts that searches examine, such as `["text", "chapters[*].content"]`. Default:
   * `["$"]`, the whole value. The argument `index` of `put` replaces these paths for one item.
   */
  readonly fields?: readonly string[];
}

/** Number of concurrent calls. */
const concurrency = 8;

/**
 * A LangGraph store that keeps items as memories of one Vademecum namespace. All stores for the
 * same user and agent have the same items, in every process and language. A store never changes or
 * returns other memories of the namespace.
 */
export class VademecumStore extends BaseStore {
  readonly #memories: Memories;
  readonly #reads: ItemReads;
  readonly #fields: readonly string[];

  /**
   * @param memories the namespace that holds the items: `client.memories(userId, agentId)`. The
   * caller closes the client.
   */
  constructor(memories: Memories, { fields = ["$"] }: VademecumStoreOptions = {}) {
    super();
    this.#memories = memories;
    this.#reads = new ItemReads(memories);
    this.#fields = fields;
  }

  /**
   * Executes operations: first all reads, then all writes. So no read sees a write of its batch. If
   * a batch puts an item several times, only the last put is made.
   *
   * @throws VademecumError if a call fails; other writes of the batch may have been made
   * @throws RangeError if a value or a filter is invalid, or a namespace is too deep; nothing is
   *   written
   * @throws InvalidNamespaceError if a namespace is invalid; nothing is written
   */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    for (const operation of operations) validatePaths(operation);
    const puts = new Map(operations.filter(isPut).map((put) => [externalIdOf(put), put]));
    const deletedIds = [...puts].filter(([, { value }]) => value === null).map(([id]) => id);
    const added = [...puts.values()]
      .filter(({ value }) => value !== null)
      .map((put) => memoryOf(put, this.#fields));
    const results = await pMap(operations, (operation) => this.#read(operation), { concurrency });
    await addAll(this.#memories, added);
    const remove = (externalId: string) => this.#memories.delete({ externalId });
    await pMap(deletedIds, remove, { concurrency });
    return results as OperationResults<Op>;
  }

  async #read(operation: Operation): Promise<unknown> {
    if (isSearch(operation)) return this.#reads.search(operation);
    if (isList(operation)) return this.#reads.listNamespaces(operation);
    return isGet(operation) ? this.#reads.get(operation) : undefined;
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
 * Checks the namespaces of an operation. The other methods of BaseStore do this, but `batch` does
 * not.
 *
 * @throws InvalidNamespaceError if a namespace is invalid
 */
function validatePaths(operation: Operation): void {
  const options = { allowEmpty: true, allowReservedRoot: true };
  if (isSearch(operation)) validateNamespace(operation.namespacePrefix, options);
  else if ("key" in operation) validateNamespace(operation.namespace, options);
  else for (const { path } of operation.matchConditions ?? []) validateNamespace(path, options);
}
