import type { JsonValue } from "@bufbuild/protobuf";
import { isRespelled } from "../../core/text/json-numbers.js";
import { type InexactSearch, noLimits, scanJson } from "../../core/text/scan-json.js";

/** Finds numbers that are written with other digits after they were parsed. */
const respelledNumbers: InexactSearch = {
  isInexact: isRespelled,
  max: Number.POSITIVE_INFINITY,
};

/**
 * Parses JSON. A number from 2^53 on that would get other digits becomes a text with its own
 * digits.
 * Otherwise an id would become another one.
 *
 * @throws SyntaxError when the text is not JSON, or an object has a name twice, of which a parser
 *   would drop one value
 */
export function parseExactJson(text: string): JsonValue {
  const bytes = Buffer.from(text);
  const { duplicateKey, inexact } = scanJson(bytes, noLimits, respelledNumbers);
  if (duplicateKey !== undefined)
    throw new SyntaxError(`an object has the name ${JSON.stringify(duplicateKey)} twice`);
  const parts: string[] = [];
  let at = 0;
  for (const { start, literal } of inexact) {
    parts.push(bytes.toString("utf8", at, start), `"${literal}"`);
    at = start + literal.length;
  }
  return JSON.parse(parts.join("") + bytes.toString("utf8", at)) as JsonValue;
}
