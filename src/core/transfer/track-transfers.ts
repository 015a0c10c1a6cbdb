import type { Jobs } from "../jobs/jobs.js";
import { untilEnded } from "../jobs/until-ended.js";
import type { TransferService } from "./service.js";

/** Returns a transfer service whose exports and imports, but for dry runs, are jobs of a tenant. */
export function trackTransfers(
  transfers: TransferService,
  jobs: Jobs,
  tenant: string,
): TransferService {
  return {
    exportData: (query, call) =>
      jobs.stream({ kind: "EXPORT", tenant }, call, async function* (job, own) {
        let done = 0;
        for await (const record of transfers.exportData(query, own)) {
          if (record.kind !== "header" && record.kind !== "trailer") job.report({ done: ++done });
          yield record;
        }
      }),
    importData: (options, batches, call) =>
      options.dryRun
        ? transfers.importData(options, batches, call)
        : jobs.stream({ kind: "IMPORT", tenant }, call, async function* (job, own) {
            for await (const progress of transfers.importData(
              options,
              untilEnded(batches, own),
              own,
            )) {
              job.report({ done: progress.records });
              yield progress;
            }
          }),
  };
}
