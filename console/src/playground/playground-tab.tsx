import type { JSX } from "preact";
import type { ExplainSearchResponse } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { Space } from "../browse/namespace-page.js";
import { place, replaceQuery } from "../location.js";
import { useLoaded } from "../pages/load.js";
import { Empty, FailureNote, Loading } from "../parts/notes.js";
import { Press } from "../parts/press.js";
import { memories } from "../rpc.js";
import { durationText } from "../server/units.js";
import { Text } from "../text.js";
import { Explained } from "./explained.js";
import { Reading } from "./reading.js";
import { type SearchField, searchFields, searchOf } from "./request.js";

const fieldNames: Readonly<Record<SearchField, string>> = {
  q: "query",
  budget: "budget",
  limit: "limit",
  min: "min relevance",
  gate: "gate",
  order: "order",
  recency: "recency weight",
  importance: "importance weight",
  novelty: "novelty weight",
  zone: "time zone",
};

/** Returns the ids in the address that are followed, besides what the search finds. */
function followedIds(): readonly string[] {
  return (place.value.query["follow"] ?? "").split(" ").filter((id) => id !== "");
}

/** A search, with the reason for each place in its result. */
export function PlaygroundTab({ space }: { readonly space: Space }): JSX.Element {
  const { query } = place.value;
  const wanted = JSON.stringify(searchFields.map((field) => query[field]));
  const asked = query["q"] ?? "";
  const { value, error, isLoading, reload } = useLoaded(
    async (signal) => {
      if (asked === "") return undefined;
      const search = searchOf(space, query);
      const [explained, recalled] = await Promise.all([
        memories.explainSearch({ search, ids: [...followedIds()] }, { signal }),
        memories.recall({ search }, { signal }),
      ]);
      return { explained, text: recalled.text };
    },
    [space.userId, space.agentId, wanted, query["follow"]],
  );
  return (
    <div class="scrolls playground">
      <SearchForm />
      {error !== undefined && <FailureNote error={error} onRetry={reload} />}
      {asked === "" && (
        <Empty title="What would an agent remember?">
          <p>Type a question. The page shows which memories a search returns, and why.</p>
        </Empty>
      )}
      {isLoading && asked !== "" && value === undefined && <Loading what="the search" />}
      {value !== undefined && <Result explained={value.explained} text={value.text} />}
    </div>
  );
}

function SearchForm(): JSX.Element {
  const { query } = place.value;
  return (
    <div class="filter-bar">
      {searchFields
        .filter((field) => field !== "order")
        .map((field) => (
          <label key={field}>
            <span class="faint">{fieldNames[field]}</span>{" "}
            <input
              class={field === "q" ? "query" : "tiny"}
              value={query[field] ?? ""}
              onChange={({ currentTarget }) => replaceQuery({ [field]: currentTarget.value })}
            />
          </label>
        ))}
      <label>
        <span class="faint">{fieldNames.order}</span>{" "}
        <select
          value={query["order"] ?? ""}
          onChange={({ currentTarget }) => replaceQuery({ order: currentTarget.value })}
        >
          <option value="">relevance</option>
          <option value="newest">newest</option>
        </select>
      </label>
    </div>
  );
}

interface ResultProps {
  readonly explained: ExplainSearchResponse;
  readonly text: string;
}

function Result({ explained, text }: ResultProps): JSX.Element {
  const { reading, stages, summary, missingIds } = explained;
  return (
    <>
      {reading !== undefined && <Reading reading={reading} />}
      <p class="meta" role="status">
        {String(summary?.returned ?? 0)} of {String(summary?.totalMatches ?? 0)} matches ·{" "}
        {summary?.tokensUsed ?? 0}
        {summary?.budgetTokens !== undefined && ` of ${summary.budgetTokens}`} tokens ·{" "}
        {durationText(summary?.queryDuration)}
        {summary?.noHitsReason !== undefined && summary.noHitsReason !== "" && (
          <>
            {" · "}
            <Text value={summary.noHitsReason} />
          </>
        )}
        {summary?.budgetTokens !== undefined && (
          <>
            {" "}
            <meter max={summary.budgetTokens} value={summary.tokensUsed} aria-label="tokens used" />
          </>
        )}
      </p>
      <ol class="stages" aria-label="Stages">
        {stages.map(({ name, left, dropped }) => (
          <li key={name}>
            {name} <b>{String(left)}</b>
            {dropped > 0n && <span class="faint"> −{String(dropped)}</span>}
          </li>
        ))}
      </ol>
      <Explained explained={explained} />
      <FollowForm />
      {missingIds.length > 0 && (
        <p class="note warning">
          The namespace has no memory <Text value={missingIds.join(", ")} />.
        </p>
      )}
      <details>
        <summary>Text for the prompt</summary>
        <pre class="boxed">
          <Text value={text} />
        </pre>
      </details>
    </>
  );
}

/** Adds a memory whose way through the search is shown, whether it was found or not. */
function FollowForm(): JSX.Element {
  return (
    <form
      class="filter-bar"
      onSubmit={(event) => {
        event.preventDefault();
        const input = event.currentTarget.querySelector("input");
        const id = input?.value.trim() ?? "";
        if (input === null || id === "") return;
        replaceQuery({ follow: [...new Set([...followedIds(), id])].slice(-100).join(" ") });
        input.value = "";
      }}
    >
      <label>
        <span class="faint">ask about a memory, by its id</span> <input class="long" />
      </label>
      <button type="submit" class="press plain">
        Follow
      </button>
      {followedIds().length > 0 && (
        <Press onPress={() => replaceQuery({ follow: "" })}>
          Stop following {followedIds().length}
        </Press>
      )}
    </form>
  );
}
