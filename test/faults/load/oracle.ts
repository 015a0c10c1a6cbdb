import type { Memory } from "#gen/vademecum/v1/memory_pb.js";

/** The expected state of a memory. */
export interface Expected {
  readonly content: string;
  /** The only tag of the memory. DeleteWhere deletes memories by this tag. */
  readonly group: string;
  readonly version: bigint;
  readonly supersedes?: string;
  readonly supersededBy?: string;
}

/** The memories of a namespace by id. */
export type State = ReadonlyMap<string, Expected>;

/** Returns the id of the memory with this content. Contents are unique. */
export type IdOf = (content: string) => string;

/** Returns the state that a complete listing shows. */
export function stateOf(memories: readonly Memory[]): State {
  return new Map(
    memories.map(({ id, content, tags, version, supersedes, supersededBy }) => [
      id,
      {
        content,
        group: tags[0] ?? "",
        version,
        ...(supersedes === undefined ? {} : { supersedes }),
        ...(supersededBy === undefined ? {} : { supersededBy }),
      },
    ]),
  );
}

/** Returns the state as lines, so that a difference is readable. */
export function linesOf(state: State): string[] {
  return [...state]
    .map(
      ([id, { content, group, version, supersedes, supersededBy }]) =>
        `${id} v${version} ${content} ${group} ${supersedes} ${supersededBy}`,
    )
    .toSorted();
}

/** Returns a function that finds the id of a content in a state. */
export function idIn(state: State): IdOf {
  const ids = new Map([...state].map(([id, { content }]) => [content, id]));
  return (content) => {
    const id = ids.get(content);
    if (id === undefined) throw new Error(`nothing holds '${content}'`);
    return id;
  };
}

/** Returns the state with one more memory. Marks the memory that it supersedes. */
export function withAdded(state: State, id: string, added: Omit<Expected, "version">): State {
  const next = new Map(state).set(id, { ...added, version: 1n });
  const old = added.supersedes === undefined ? undefined : next.get(added.supersedes);
  if (old !== undefined && added.supersedes !== undefined)
    next.set(added.supersedes, { ...old, supersededBy: id, version: old.version + 1n });
  return next;
}

/** Returns the state with a new content of one memory. */
export function withContent(state: State, id: string, content: string): State {
  const old = state.get(id);
  return old === undefined
    ? state
    : new Map(state).set(id, { ...old, content, version: old.version + 1n });
}

/**
 * Returns the state without some memories, removed one by one, newest first. Each removal closes
 * the gap in its chain of superseding memories.
 */
export function without(state: State, ids: ReadonlySet<string>): State {
  const next = new Map(state);
  for (const id of [...ids].sort().reverse()) {
    const removed = next.get(id);
    next.delete(id);
    if (removed !== undefined) closeGap(next, id, removed);
  }
  return next;
}

function closeGap(
  state: Map<string, Expected>,
  id: string,
  { supersedes, supersededBy }: Expected,
): void {
  const older = supersedes === undefined ? undefined : state.get(supersedes);
  const newer = supersededBy === undefined ? undefined : state.get(supersededBy);
  if (supersedes !== undefined && older?.supersededBy === id) {
    const { supersededBy: _, ...current } = older;
    state.set(supersedes, {
      ...current,
      version: older.version + 1n,
      ...(newer && supersededBy !== undefined && { supersededBy }),
    });
  }
  if (supersededBy !== undefined && newer?.supersedes === id) {
    const { supersedes: _, ...first } = newer;
    state.set(supersededBy, {
      ...first,
      version: newer.version + 1n,
      ...(older && supersedes !== undefined && { supersedes }),
    });
  }
}
