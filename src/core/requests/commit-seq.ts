import { crc32 } from "node:zlib";
import { invalidField } from "../model/errors.js";
import type { Head } from "../ports/store.js";

/**
 * Bits of a `commit_seq` that hold the sequence number: 2^41 commits last seven years at 10,000 a
 * second.
 */
const seqBits = 41n;
/** The 22 bits above them tag the epoch. With the sign bit, all 64 bits are in use. */
const epochMask = 0x3f_ffff;

/**
 * Returns the number that callers see as `commit_seq`: the scope's sequence number, and above it a
 * tag of the epoch. The tag keeps a number from before a restore from passing for one of today.
 * Within an epoch, later commits of a scope have greater numbers.
 */
export function commitSeqOf(head: Head): bigint {
  return (BigInt(epochNumber(head)) << seqBits) | BigInt(head.seq);
}

/**
 * Checks a `min_commit_seq` that a caller passed.
 *
 * @throws INVALID_ARGUMENT (FOREIGN_COMMIT_SEQ) when no commit of this scope and epoch has had the
 *   number.
 */
export function requireCommitSeq(head: Head, minCommitSeq: bigint | undefined): void {
  if (minCommitSeq === undefined) return;
  if (Number(minCommitSeq >> seqBits) !== epochNumber(head)) {
    throw invalidField(
      "min_commit_seq",
      "was issued before the data was restored, or before a loss was accepted; leave it out",
      "FOREIGN_COMMIT_SEQ",
    );
  }
  if (minCommitSeq > commitSeqOf(head)) {
    throw invalidField(
      "min_commit_seq",
      "is greater than any commit of this user; " +
        "pass the commit_seq of a reply about the same user_id",
      "FOREIGN_COMMIT_SEQ",
    );
  }
}

function epochNumber(head: Head): number {
  return crc32(head.epoch) & epochMask;
}
