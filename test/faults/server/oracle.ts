import type { Memory } from "#gen/vademecum/v1/memory_pb.js";

/** What a memory must look like. */
export interface Expected {
  readonly content: string;
  /** Its one tag: what DeleteWhere chooses by. */
  readonly group: string;
  readonly version: bigint;
  readonly supersedes?: string;
  readonly supersededBy?: string;
}

/** The memories of a namespace by id. */
export type State = ReadonlyMap<string, Expected>;

/** Finds the id that the server has given to a content. Contents are never used twice. */
export type IdOf = (content: string) => string;

/** The state that a complete listing shows. */
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

/** The state in lines, so that two of them compare and a difference can be read. */
export function linesOf(state: State): string[] {
  return [...state]
    .map(
      ([id, { content, group, version, supersedes, supersededBy }]) =>
        `${id} v${version} ${content} ${group} ${supersedes} ${supersededBy}`,
    )
    .toSorted();
}

/** The id that a state has for a content. */
export function idIn(state: State): IdOf {
  const ids = new Map([...state].map(([id, { content }]) => [content, id]));
  return (content) => {
    const id = ids.get(content);
    if (id === undefined) throw new Error(`nothing holds '${content}'`);
    return id;
  };
}

/** The state with one more memory; what it supersedes is marked. */
export function withAdded(state: State, id: string, added: Omit<Expected, "version">): State {
  const next = new Map(state).set(id, { ...added, version: 1n });
  const old = added.supersedes === undefined ? undefined : next.get(added.supersedes);
  if (old !== undefined && added.supersedes !== undefined)
    next.set(added.supersedes, { ...old, supersededBy: id, version: old.version + 1n });
  return next;
}

/** The state with a new content for one memory. */
export function withContent(state: State, id: string, content: string): State {
  const old = state.get(id);
  return old === undefined
    ? state
    : new Map(state).set(id, { ...old, content, version: old.version + 1n });
}

/** The state without some memories, removed one after another, the newest first; the gap that each leaves in its chain is closed. */
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
