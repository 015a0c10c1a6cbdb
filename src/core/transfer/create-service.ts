import { exportData } from "./export-data.js";
import { importData } from "./import-data.js";
import type { TransferParts, TransferService } from "./service.js";

/** Creates exports and imports of a store. */
export function createTransferService(parts: TransferParts): TransferService {
  return {
    exportData: (query, call) => exportData(parts, query, call),
    importData: (options, batches, call) => importData(parts, options, batches, call),
  };
}
