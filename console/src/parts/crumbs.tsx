import type { JSX } from "preact";
import { hrefOf } from "../router.js";
import { Text } from "../text.js";

interface CrumbsProps {
  /** The names and places above the page, from the top down. */
  readonly above: readonly (readonly [name: string, path: readonly string[]])[];
  readonly name: string;
}

/** Where a page is. Names are never joined by `/`, which they may contain. */
export function Crumbs({ above, name }: CrumbsProps): JSX.Element {
  return (
    <h1 class="crumbs">
      {above.map(([each, path]) => (
        <span key={each}>
          <a href={hrefOf(path)}>
            <Text value={each} />
          </a>{" "}
          <span class="faint" aria-hidden="true">
            ›
          </span>{" "}
        </span>
      ))}
      <Text value={name} />
    </h1>
  );
}
