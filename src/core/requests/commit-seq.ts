import { crc32 } from "node:zlib";
import { invalidField } from "../model/errors.js";
import type { Head } from "../ports/store.js";

/**
 * Bits of a `commit_seq` that hold the sequence number: 2^41 commits last seven years at 10,000 a
 * second.
 */
const seqBits = 41n;
/**
 * The 22 bits above the sequence number hold the tag. With the sign bit, all 64 bits are in use.
 */
const tagMask = 0x3f_ffff;

/**
 * Returns the number that callers see as `commit_seq`. Its low bits hold the sequence number of the
 * user's data. The bits above hold a tag of the epoch and the user. By the tag, the server
 * recognises a number that belongs to another user, or that was issued before a restore. Within an
 * epoch, later commits of a user have greater numbers.
 */
export function commitSeqOf(head: Pick<Head, "epoch" | "seq">, userId: string): bigint {
  return (BigInt(tagOf(head, userId)) << seqBits) | BigInt(head.seq);
}

/** Returns the sequence number of the user's data in a number that `commitSeqOf` made. */
export function seqOfCommitSeq(commitSeq: bigint): number {
  return Number(commitSeq & ((1n << seqBits) - 1n));
}

/**
 * Checks a `commit_seq` that a caller passed.
 *
 * @param field the field with the number
 * @throws INVALID_ARGUMENT (FOREIGN_COMMIT_SEQ) when no commit of this user and epoch has had the
 *   number.
 */
export function requireCommitSeq(
  head: Head,
  userId: string,
  commitSeq: bigint | undefined,
  field = "min_commit_seq",
): void {
  if (commitSeq === undefined) return;
  if (Number(commitSeq >> seqBits) !== tagOf(head, userId)) {
    throw invalidField(
      field,
      "is of another user, or from before the data was restored or a loss was accepted; " +
        "pass the commit_seq of a reply about the same user_id, or leave it out",
      "FOREIGN_COMMIT_SEQ",
    );
  }
  if (commitSeq > commitSeqOf(head, userId)) {
    throw invalidField(
      field,
      "is greater than any commit of this user; " +
        "pass the commit_seq of a reply about the same user_id",
      "FOREIGN_COMMIT_SEQ",
    );
  }
}

let lastEpoch = { epoch: "", checksum: crc32("") };

function tagOf({ epoch }: Pick<Head, "epoch">, userId: string): number {
  // Nearly all scopes of a store have the same epoch.
  if (lastEpoch.epoch !== epoch) lastEpoch = { epoch, checksum: crc32(epoch) };
  return crc32(userId, lastEpoch.checksum) & tagMask;
}
