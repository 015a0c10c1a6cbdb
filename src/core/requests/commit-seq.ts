import { crc32 } from "node:zlib";
import { invalidField } from "../model/errors.js";
import type { Head } from "../ports/store.js";

/** Bits of a commit_seq that hold the scope's sequence number: 2^41 commits, at 10,000 a second seven years. */
const seqBits = 41n;
/** Bits above them that tell one life of the data from another. With the sign bit, 64. */
const epochMask = 0x3f_ffff;

/**
 * The number that callers see as `commit_seq`: the scope's sequence number, and above it a tag of the epoch, so that a number from before a restore is not taken for one of today.
 * Within an epoch, later commits of a scope have greater numbers.
 */
export function commitSeqOf(head: Head): bigint {
  return (BigInt(epochTag(head)) << seqBits) | BigInt(head.seq);
}

/** @throws INVALID_ARGUMENT if `minCommitSeq` was never given out for this scope in this life of the data. */
export function requireCommitSeq(head: Head, minCommitSeq: bigint | undefined): void {
  if (minCommitSeq === undefined) return;
  if (Number(minCommitSeq >> seqBits) !== epochTag(head)) {
    throw invalidField(
      "min_commit_seq",
      "is from another life of this data (before a restore or an accepted loss); leave it out",
      "FOREIGN_COMMIT_SEQ",
    );
  }
  if (minCommitSeq > commitSeqOf(head)) {
    throw invalidField(
      "min_commit_seq",
      "is greater than any commit of this user; pass the commit_seq of a reply about the same user_id",
      "FOREIGN_COMMIT_SEQ",
    );
  }
}

function epochTag(head: Head): number {
  return crc32(head.epoch) & epochMask;
}
