/** Returns lines with their numbers, as Claude expects them. */
export function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(index + first).padStart(6)}\t${line}`).join("\n");
}

/**
 * Replaces the only occurrence of a text.
 *
 * @returns the new text, and the lines around the change with their numbers
 * @throws Error when the text occurs never, or several times
 */
export function replaceOnce(
  body: string,
  {
    path,
    old_str: old,
    new_str: replacement,
  }: Readonly<Record<"path" | "old_str" | "new_str", string>>,
): { readonly body: string; readonly snippet: string } {
  const places = occurrencesOf(old, body);
  const [place] = places;
  if (place === undefined)
    throw new Error(
      `No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`,
    );
  const lineOf = (index: number) => body.slice(0, index).split("\n").length;
  if (places.length > 1)
    throw new Error(
      `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${places.map(lineOf).join(", ")}. Please ensure it is unique`,
    );
  const edited = body.slice(0, place) + replacement + body.slice(place + old.length);
  const first = Math.max(1, lineOf(place) - 2);
  const last = lineOf(place) + 2;
  return { body: edited, snippet: numbered(edited.split("\n").slice(first - 1, last), first) };
}

/**
 * Inserts a text after a line.
 *
 * @throws Error when there is no such line
 */
export function insertAfter(body: string, line: number, text: string): string {
  const lines = body.split("\n");
  if (!Number.isInteger(line) || line < 0 || line > lines.length)
    throw new Error(
      `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
    );
  return lines.toSpliced(line, 0, text.replace(/\n$/, "")).join("\n");
}

/** Returns the places where a text occurs. An empty text occurs nowhere. */
function occurrencesOf(text: string, body: string): number[] {
  const places: number[] = [];
  for (let at = body.indexOf(text); text !== "" && at !== -1; at = body.indexOf(text, at + 1))
    places.push(at);
  return places;
}
