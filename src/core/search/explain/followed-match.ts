import type { Memory } from "../../model/memory.js";
import type { TimeZone } from "../../model/time-zone.js";
import { copyKeyOf, type PackedRanking } from "../pack/pack.js";
import type { Match } from "../rank/matches.js";

/** Maximum length of the content of an explained memory, in UTF-16 units. */
const contentMax = 500;

/** A match of an explained search. It has a memory only if it may be explained. */
export interface FollowedMatch extends Omit<Match, "memory"> {
  /** See `shortMemory`. */
  readonly memory: Memory | undefined;
  /** The hit of which it is a near-copy. */
  readonly nearCopyOf: string | undefined;
}

/** Which matches to follow. */
export interface Followed {
  /** Ids of memories to follow. */
  readonly ids: readonly string[];
  /**
   * Follows the hits and what was omitted too, and this number of the best other memories. Absent:
   * follows the memories of `ids` alone.
   */
  readonly nearMisses?: number;
}

/** Returns all matches, in their order. Those that may be explained have their memories. */
export function followMatches(
  matches: Iterable<Match>,
  { result, pending }: PackedRanking,
  { ids, nearMisses }: Followed,
  timeZone: TimeZone,
): readonly FollowedMatch[] {
  const isWhole = nearMisses !== undefined;
  const hits = new Set(isWhole ? result.hits.map(({ memory }) => memory.id) : []);
  const named = new Set([...ids, ...hits]);
  if (isWhole) for (const { id } of result.summary.omitted) named.add(id);
  if (isWhole && pending !== undefined) named.add(pending.best.memory.id);
  let others = nearMisses ?? 0;
  /** The hits so far. A near-copy of a hit comes after it. */
  const copies = new Map<string, string>();
  return Array.from(matches, (match): FollowedMatch => {
    const { memory, ...rest } = match;
    const { id } = memory;
    const isFollowed = named.has(id) || others-- > 0;
    if (!isFollowed) return { ...rest, memory: undefined, nearCopyOf: undefined };
    const short = shortMemory(memory);
    if (!isWhole) return { ...rest, memory: short, nearCopyOf: undefined };
    const key = `${match.wordSignature} ${copyKeyOf(match, timeZone)}`;
    if (hits.has(id)) copies.set(key, short.id);
    return { ...rest, memory: short, nearCopyOf: hits.has(id) ? undefined : copies.get(key) };
  });
}

/**
 * Returns a memory without its metadata, and with the beginning of a long content. It is a copy:
 * the texts of a memory are parts of one string, and each of them would keep the whole string. The
 * memories of many explanations at a time would not fit into the RAM.
 */
export function shortMemory(memory: Memory): Memory {
  const { content, metadata: _, ...rest } = memory;
  // Does not end in the middle of a character of two units.
  const beginning =
    content.length <= contentMax
      ? content
      : content.slice(0, contentMax).replace(/[\uD800-\uDBFF]$/, "");
  return structuredClone({ ...rest, content: beginning });
}
