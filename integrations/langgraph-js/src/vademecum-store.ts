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

/** How a store keeps its items. */
export interface VademecumStoreOptions {
  /** Paths of the texts that a search by words looks at, such as `["text", "chapters[*].content"]`; `put` may say otherwise. Default `["$"]`: the whole value. */
  readonly fields?: readonly string[];
}

/** Calls at the same time: the server takes many writes into one synced step. */
const concurrency = 8;

/**
 * Keeps the items of LangGraph as memories of one namespace of Vademecum. Two stores on the same user and agent, in whatever process or language,
 * see the same items. Other memories of that namespace are left alone and never returned.
 */
export class VademecumStore extends BaseStore {
  readonly #reads: ItemReads;
  readonly #writes: ItemWrites;

  /** @param memories the namespace to keep items in: `client.memories(userId, agentId)`; closing the client is the caller's */
  constructor(memories: Memories, { fields = ["$"] }: VademecumStoreOptions = {}) {
    super();
    this.#reads = new ItemReads(memories);
    this.#writes = new ItemWrites(memories, this.#reads, fields);
  }

  /**
   * Executes operations: first what reads, then what writes, so that reads see the state before. Of several puts of one item the last counts.
   * @throws VademecumError if a call failed; writes of the batch that were made before stay
   * @throws RangeError if a value, filter or namespace cannot be stored or searched; nothing was written
   */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    for (const operation of operations) validatePaths(operation);
    const drafts = new Map(
      operations.filter(isPut).map((put) => [itemTag(put), this.#writes.draft(put)]),
    );
    const found = await this.#reads.find(operations.filter(isGet));
    const results = await pMap(operations, (operation) => this.#read(operation, found), {
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
    found: ReadonlyMap<string, readonly Memory[]>,
  ): Promise<unknown> {
    if (isSearch(operation)) return this.#reads.search(operation);
    if (isList(operation)) return this.#reads.listNamespaces(operation);
    if (!isGet(operation)) return undefined;
    const memory = found.get(itemTag(operation))?.[0];
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

/** The methods of BaseStore check namespaces, but operations that are given to `batch` come without them. @throws InvalidNamespaceError */
function validatePaths(operation: Operation): void {
  const options = { allowEmpty: true, allowReservedRoot: true };
  if (isSearch(operation)) validateNamespace(operation.namespacePrefix, options);
  else if ("key" in operation) validateNamespace(operation.namespace, options);
  else for (const { path } of operation.matchConditions ?? []) validateNamespace(path, options);
}
