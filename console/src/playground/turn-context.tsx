import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import {
  type BuildContextResponse,
  ContextSectionKind,
  type ContextSectionReceipt,
} from "#gen/vademecum/v1/context_pb.js";
import type { Space } from "../browse/namespace-page.js";
import { place } from "../location.js";
import { useLoaded } from "../pages/load.js";
import { Copy } from "../parts/copy.js";
import { FailureNote, Loading } from "../parts/notes.js";
import { type Column, Table } from "../parts/table.js";
import { memories } from "../rpc.js";
import { Text } from "../text.js";
import { searchOf } from "./request.js";

/** The budget of a context whose search has none, in tokens. */
const defaultBudget = 1_000;

const columns: readonly Column<ContextSectionReceipt>[] = [
  { head: "section", cell: ({ kind }) => ContextSectionKind[kind].toLowerCase() },
  { head: "tokens", kind: "number", cell: ({ tokens }) => tokens },
  { head: "items", kind: "number", cell: ({ items }) => items.length },
  {
    head: "left out",
    kind: "number",
    cell: ({ omitted, omittedCount }) => String(BigInt(omitted.length) + omittedCount),
  },
  { head: "", kind: "wide", cell: ({ noItemsReason }) => <Text value={noItemsReason} /> },
];

/** What `BuildContext` puts into the prompt of one turn about the query. Asks once it is opened. */
export function TurnContext({ space }: { readonly space: Space }): JSX.Element {
  const isOpen = useSignal(false);
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>Context of a turn, as BuildContext returns it</summary>
      {isOpen.value && <Built space={space} />}
    </details>
  );
}

function Built({ space }: { readonly space: Space }): JSX.Element {
  const { query } = place.value;
  const search = searchOf(space, query);
  const budgetTokens = search.budgetTokens ?? defaultBudget;
  const { value, error, reload } = useLoaded(
    (signal) => {
      const { limit, minRelevance, gate, order, weights, timeZone } = search;
      const options = { limit, minRelevance, gate, order, weights };
      const given = Object.fromEntries(
        Object.entries(options).filter(([, option]) => option !== undefined),
      );
      return memories.buildContext(
        {
          ...{ namespace: space, query: search.query ?? "", budgetTokens },
          ...(timeZone !== undefined && { timeZone }),
          sections: [
            { section: { case: "blocks", value: {} } },
            { section: { case: "skills", value: {} } },
            { section: { case: "memories", value: given } },
          ],
        },
        { signal },
      );
    },
    [JSON.stringify([space, query])],
  );
  if (error !== undefined) return <FailureNote error={error} onRetry={reload} />;
  if (value === undefined) return <Loading what="the context" />;
  return <Context context={value} budgetTokens={budgetTokens} />;
}

interface ContextProps {
  readonly context: BuildContextResponse;
  readonly budgetTokens: number;
}

function Context({ context, budgetTokens }: ContextProps): JSX.Element {
  const { sections, text, tokenCount } = context;
  let before = 0;
  return (
    <>
      <p class="meta">
        {tokenCount} of {budgetTokens} tokens
      </p>
      <svg
        class="token-bar"
        role="img"
        aria-label={`${tokenCount} of ${budgetTokens} tokens`}
        viewBox={`0 0 ${budgetTokens} 1`}
        preserveAspectRatio="none"
      >
        {sections.map(({ kind, tokens }) => {
          const x = before;
          before += tokens;
          return <rect key={kind} class={`section-${kind}`} x={x} width={tokens} height="1" />;
        })}
      </svg>
      <Table
        label="Sections"
        columns={columns}
        items={sections}
        keyOf={({ kind }) => String(kind)}
      />
      <Copy text={text} />
      <pre class="boxed">
        <Text value={text} />
      </pre>
    </>
  );
}
