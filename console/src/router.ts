/** A place in the console: the part of an address after `#`. */
export interface Place {
  /** The decoded segments, such as `["u", "ada", "b", "goals"]`. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Parses a fragment such as `#/u/ada/b/goals?filter=x`. Never throws: a segment that is not
 * encoded correctly stands for itself.
 */
export function parsePlace(fragment: string): Place {
  const [path = "", query = ""] = fragment.replace(/^#?\/?/, "").split(/\?(.*)/s, 2);
  const segments = path === "" ? [] : path.split("/").map(decode);
  return { path: segments, query: Object.fromEntries(new URLSearchParams(query)) };
}

/**
 * Returns the fragment of a place. An id is one segment, whatever it contains. Leaves out empty
 * values of the query.
 */
export function hrefOf(
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  const search = given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
  return `#/${path.map(encodeURIComponent).join("/")}${search}`;
}

/** Decodes a part of an address. A part that is not encoded correctly stands for itself. */
export function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
