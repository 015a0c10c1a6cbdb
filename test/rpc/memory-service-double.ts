import type { MemoryService } from "../../src/core/memories/memory-service.js";

/** A domain that has the given use cases and fails in all others. */
export function memoryServiceWith(useCases: Partial<MemoryService>): MemoryService {
  const unexpected = async (): Promise<never> => {
    throw new Error("the test expects no such call");
  };
  return {
    add: unexpected,
    addTrace: unexpected,
    search: unexpected,
    recall: unexpected,
    explain: unexpected,
    getAll: unexpected,
    get: unexpected,
    update: unexpected,
    delete: unexpected,
    deleteWhere: unexpected,
    reset: unexpected,
    ...useCases,
  };
}
