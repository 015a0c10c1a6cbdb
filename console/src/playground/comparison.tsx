import type { JSX } from "preact";
import type {
  ExplainedMemory,
  ExplainSearchResponse,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type { Space } from "../browse/namespace-page.js";
import { FailureNote, Loading } from "../parts/notes.js";
import { type Column, Table } from "../parts/table.js";
import { countPhrase, Text } from "../text.js";
import { compareHits, placesOf } from "./compare.js";
import { MemoryLink, outcomeOf } from "./explained.js";
import { Reading } from "./reading.js";
import { Receipt } from "./receipt.js";
import { SettingsForm } from "./search-form.js";
import { finalScore } from "./stage-cells.js";
import { useSearch } from "./use-search.js";

/** The same query with two settings, side by side. */
export function Comparison({ space }: { readonly space: Space }): JSX.Element {
  const first = useSearch(space, "");
  const second = useSearch(space, "b.");
  const sides = [
    { name: "Left", prefix: "", search: first, other: second.value?.explained },
    { name: "Right", prefix: "b.", search: second, other: first.value?.explained },
  ] as const;
  return (
    <>
      {first.value !== undefined && second.value !== undefined && (
        <p class="difference" role="status">
          {differenceText(first.value.explained.memories, second.value.explained.memories)}
        </p>
      )}
      <div class="compared">
        {sides.map(({ name, prefix, search, other }) => (
          <section key={name} aria-label={`${name} settings`}>
            <SettingsForm prefix={prefix} />
            {search.error !== undefined && (
              <FailureNote error={search.error} onRetry={search.reload} />
            )}
            {search.isLoading && search.value === undefined && <Loading what="the search" />}
            {search.value !== undefined && (
              <Side name={name} explained={search.value.explained} other={other} />
            )}
          </section>
        ))}
      </div>
    </>
  );
}

function differenceText(
  first: readonly ExplainedMemory[],
  second: readonly ExplainedMemory[],
): string {
  const { both, onlyFirst, onlySecond, isSameOrder } = compareHits(first, second);
  if (onlyFirst + onlySecond > 0)
    return `${countPhrase(both, "hit")} on both sides, ${onlyFirst} only left, ${onlySecond} only right.`;
  return isSameOrder
    ? "Both sides return the same hits in the same order."
    : `Both sides return the same ${both} hits, in another order.`;
}

interface SideProps {
  readonly name: string;
  readonly explained: ExplainSearchResponse;
  readonly other: ExplainSearchResponse | undefined;
}

function Side({ name, explained, other }: SideProps): JSX.Element {
  const { reading, summary, memories } = explained;
  const places = placesOf(memories);
  const otherPlaces = placesOf(other?.memories ?? []);
  const idOf = ({ memory }: ExplainedMemory) => memory?.id ?? "";
  const columns: readonly Column<ExplainedMemory>[] = [
    { head: "#", kind: "number", cell: (memory) => places.get(idOf(memory)) ?? "" },
    { head: "memory", kind: "wide", cell: (memory) => <MemoryLink explained={memory} /> },
    { head: "score", kind: "number", cell: (memory) => finalScore(memory)?.toFixed(3) ?? "" },
    { head: "tokens", kind: "number", cell: ({ tokens }) => tokens },
    { head: "outcome", cell: (memory) => <Text value={outcomeOf(memory)} /> },
    {
      head: "other side",
      cell: (memory) => {
        const place = otherPlaces.get(idOf(memory));
        const isSame = place === places.get(idOf(memory));
        const text = place === undefined ? (memory.returned ? "not returned" : "") : `#${place}`;
        return isSame ? <span class="faint">{text}</span> : <span class="warn">{text}</span>;
      },
    },
  ];
  return (
    <>
      {reading !== undefined && <Reading reading={reading} />}
      <Receipt summary={summary} />
      <Table
        label={`Hits, ${name.toLowerCase()}`}
        columns={columns}
        items={memories}
        keyOf={idOf}
      />
    </>
  );
}
