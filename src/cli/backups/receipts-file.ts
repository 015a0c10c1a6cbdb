import { readFile } from "node:fs/promises";
import { fromJsonString } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { ErasureReceiptSchema } from "#gen/vademecum/v1/admin_pb.js";
import { ScopeKind } from "#gen/vademecum/v1/backup_pb.js";
import { namesScope } from "../../core/erasure/receipt.js";
import { type ErasureReceipt, noErasureCounts } from "../../core/model/erasure.js";
import type { ScopeState } from "../../core/ports/backup.js";
import { CommandFailure } from "../command-io.js";

/** Receipts of erasures, to erase again what a backup brings back. */
export interface Receipts {
  /**
   * Whether a user or run of a backup was erased after its last write. One that has written since
   * has come back, and has nothing from before the erasure.
   */
  covers(state: ScopeState): boolean;
  /** Number of users and runs that `covers` has found. */
  readonly covered: number;
}

/**
 * Reads the receipts of a file, one a line, as `forget --receipt` writes them.
 *
 * @param path absent: there are no receipts
 * @throws CommandFailure when the file cannot be read, or has a line that is no receipt
 */
export async function readReceipts(path: string | undefined): Promise<Receipts> {
  const receipts = path === undefined ? [] : await parseFile(path);
  const found = new Set<string>();
  return {
    covers(state) {
      const { scope, lastTimeMs } = state;
      const isCovered = receipts.some(
        (receipt) => lastTimeMs <= receipt.timeMs && namesScope(receipt, scope),
      );
      if (isCovered) found.add(JSON.stringify(scope));
      return isCovered;
    },
    get covered() {
      return found.size;
    },
  };
}

async function parseFile(path: string): Promise<readonly ErasureReceipt[]> {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new CommandFailure(`--receipts: cannot read the file: ${error.message}`);
  });
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    const receipt = parseReceipt(line);
    if (receipt !== undefined) return [receipt];
    throw new CommandFailure(`--receipts: line ${at + 1} of ${path} is no receipt of an erasure`);
  });
}

function parseReceipt(line: string): ErasureReceipt | undefined {
  try {
    const { time, hmacKey, scopes } = fromJsonString(ErasureReceiptSchema, line);
    if (time === undefined || hmacKey === "" || scopes.length === 0) return undefined;
    return {
      ...{ timeMs: timestampMs(time), hmacKey, counts: noErasureCounts },
      scopes: scopes.map(({ kind, idHmac, commitSeq }) => ({
        ...{ idHmac, commitSeq: Number(commitSeq) },
        kind: kind === ScopeKind.RUN ? "run" : "user",
      })),
    };
  } catch {
    return undefined;
  }
}
