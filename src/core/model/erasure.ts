/** Numbers of erased records and files, by kind. */
export interface ErasureCounts {
  readonly memories: number;
  readonly memoryVersions: number;
  /** Of memories and of skills. */
  readonly vectors: number;
  readonly blocks: number;
  readonly blockVersions: number;
  readonly proposals: number;
  readonly skills: number;
  /** Keys of runs. */
  readonly keys: number;
  /** Entries of traces. */
  readonly traces: number;
  /** Stored replies of idempotency keys. */
  readonly replies: number;
  /** Files with images of indexes. */
  readonly images: number;
  /** Saved graphs of vectors. */
  readonly graphs: number;
}

export const noErasureCounts: ErasureCounts = {
  memories: 0,
  memoryVersions: 0,
  vectors: 0,
  blocks: 0,
  blockVersions: 0,
  proposals: 0,
  skills: 0,
  keys: 0,
  traces: 0,
  replies: 0,
  images: 0,
  graphs: 0,
};

/** The user and the runs of an erasure. */
export interface ErasureSubjects {
  /** Absent: only runs are erased. */
  readonly userId?: string;
  readonly runIds: readonly string[];
}

/**
 * An erasure that has begun. It is stored until the files no longer hold what was erased, so that
 * it ends after a crash. Without subjects, everything is erased, and the store is still to be
 * compacted.
 */
export interface BegunErasure extends ErasureSubjects {
  /** What the subjects had when the erasure began. */
  readonly counts: ErasureCounts;
  /** When it began, in milliseconds since 1970. */
  readonly beginMs: number;
}

/** A user or a run that was erased. */
export interface ErasedScope {
  readonly kind: "user" | "run";
  /** HMAC-SHA-256 of the id with `ErasureReceipt.hmacKey`, in base64url. */
  readonly idHmac: string;
  /** The commit that erased it. In a dry run: its last commit. */
  readonly commitSeq: number;
}

/** What was erased. It names nobody in clear, so that it can be kept. */
export interface ErasureReceipt {
  /** When everything was erased, in milliseconds since 1970. */
  readonly timeMs: number;
  /** A random key of this receipt, in base64url. */
  readonly hmacKey: string;
  readonly scopes: readonly ErasedScope[];
  readonly counts: ErasureCounts;
}
