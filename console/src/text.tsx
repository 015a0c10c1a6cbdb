import type { JSX } from "preact";
import { piecesOf } from "./hidden.js";
import { Copy } from "./parts/copy.js";

/**
 * Shows a text that somebody else wrote, exactly as it is: as text, never as markup. Hidden
 * characters appear as tokens such as `U+202E`. Copying gives the original characters, because the
 * name of a token is not in the page's text.
 */
export function Text({ value }: { readonly value: string }): JSX.Element {
  return (
    <bdi class="text">
      {piecesOf(value).map(({ text, token }, index) =>
        token === undefined ? (
          text
        ) : (
          <span
            key={index}
            class="hidden-char"
            data-token={token}
            title={`hidden character ${token}`}
          >
            {text}
          </span>
        ),
      )}
    </bdi>
  );
}

/** Returns a count with its noun: `1 hit`, `2 hits`. Default plural: the noun with an `s`. */
export function countPhrase(count: number | bigint, one: string, many = `${one}s`): string {
  return `${count} ${Number(count) === 1 ? one : many}`;
}

/** Shows an id in full, with a button that copies it. */
export function Id({ value }: { readonly value: string }): JSX.Element {
  return (
    <>
      <span class="id">
        <Text value={value} />
      </span>
      <Copy text={value} />
    </>
  );
}

/** Shows the beginning of a long id. The whole id is in the tooltip. */
export function ShortId({ value }: { readonly value: string }): JSX.Element {
  const short = value.length > 14 ? `${value.slice(0, 4)}…${value.slice(-4)}` : value;
  return (
    <span class="id" title={value}>
      <Text value={short} />
    </span>
  );
}
