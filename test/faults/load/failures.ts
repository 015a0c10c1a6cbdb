import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";

/**
 * How a failed call ended, if a fault can explain the failure. `unknown`: the write of the call may
 * or may not have happened. `refused`: nothing was written, because the disk is full.
 */
export type FaultEnd = "unknown" | "refused";

/** Codes of a call whose server ends or recovers. */
const interrupted = new Set([Code.Unavailable, Code.Canceled, Code.DeadlineExceeded]);

/** Returns how a failed call ended. Rethrows errors that no fault explains. */
export function endOf(error: unknown): FaultEnd {
  if (!(error instanceof ConnectError)) throw error;
  if (interrupted.has(error.code)) return "unknown";
  if (error.findDetails(ErrorInfoSchema)[0]?.reason === "DISK_FULL") return "refused";
  throw error;
}

/** Returns how a failed item of a batch ended, by its code. */
export function endOfCode(code: number | undefined): FaultEnd {
  if (code !== undefined && interrupted.has(code)) return "unknown";
  if (code === Code.ResourceExhausted) return "refused";
  throw new Error(`an item of a batch failed with ${code}`);
}
