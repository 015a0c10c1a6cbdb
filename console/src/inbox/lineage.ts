/** A version of a block or memory, and the earlier version that it restored. */
export interface VersionOrigin {
  readonly version: bigint;
  readonly restoredFrom?: bigint | undefined;
}

/**
 * Whether a text went back behind a version: a later restoration took away what the version
 * changed, and no later one brought it back. False where the versions between are not known.
 *
 * @param versions versions of the text, newest first
 */
export function wasUndone(versions: readonly VersionOrigin[], version: bigint): boolean {
  const known = new Map(versions.map((it) => [it.version, it]));
  let current = versions[0]?.version ?? version;
  while (current > version) {
    const origin = known.get(current);
    if (origin === undefined) return false;
    current = origin.restoredFrom ?? current - 1n;
  }
  return current < version;
}
