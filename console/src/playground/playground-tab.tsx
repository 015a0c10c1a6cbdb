import type { Duration } from "@bufbuild/protobuf/wkt";
import type { JSX } from "preact";
import type { ExplainSearchResponse } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { Space } from "../browse/namespace-page.js";
import { CallForms } from "../calls/call-forms.js";
import { place, replaceQuery } from "../location.js";
import { Copy } from "../parts/copy.js";
import { Empty, FailureNote, Loading } from "../parts/notes.js";
import { Press } from "../parts/press.js";
import { msOf } from "../server/units.js";
import { Text } from "../text.js";
import { Comparison } from "./comparison.js";
import { Explained } from "./explained.js";
import { Reading } from "./reading.js";
import { Receipt } from "./receipt.js";
import { QueryForm, SettingsForm } from "./search-form.js";
import { TurnContext } from "./turn-context.js";
import { followedIds, searchCall, useSearch } from "./use-search.js";

/** A search, with the reason for each place in its result. */
export function PlaygroundTab({ space }: { readonly space: Space }): JSX.Element {
  const { query } = place.value;
  const isAsked = (query["q"] ?? "") !== "";
  const isCompared = query["compare"] === "on";
  return (
    <div class="scrolls playground">
      <QueryForm />
      {!isCompared && <SettingsForm prefix="" />}
      {!isAsked && (
        <Empty title="What would an agent remember?">
          <p>Type a question. The page shows which memories a search returns, and why.</p>
        </Empty>
      )}
      {isAsked && (isCompared ? <Comparison space={space} /> : <Search space={space} />)}
    </div>
  );
}

/** The search of the address. */
function Search({ space }: { readonly space: Space }): JSX.Element {
  const { value, error, isLoading, reload } = useSearch(space, "");
  if (error !== undefined) return <FailureNote error={error} onRetry={reload} />;
  if (value === undefined) return isLoading ? <Loading what="the search" /> : <span />;
  return <Result space={space} explained={value.explained} text={value.text} />;
}

interface ResultProps {
  readonly space: Space;
  readonly explained: ExplainSearchResponse;
  readonly text: string;
}

function Result({ space, explained, text }: ResultProps): JSX.Element {
  const { reading, stages, summary, missingIds } = explained;
  return (
    <>
      {reading !== undefined && <Reading reading={reading} />}
      <Receipt summary={summary} />
      <ol class="stages" aria-label="Stages">
        {stages.map(({ name, left, dropped, duration }) => (
          <li key={name}>
            {name} <b>{String(left)}</b>
            {dropped > 0n && <span class="faint"> −{String(dropped)}</span>}
            {duration !== undefined && <span class="faint"> ({wholeMsText(duration)})</span>}
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
        <summary>Text for the prompt, as Recall returns it</summary>
        <Copy text={text} />
        <pre class="boxed">
          <Text value={text} />
        </pre>
      </details>
      <TurnContext space={space} />
      <CallForms call={searchCall(space)} />
    </>
  );
}

/** The server counts whole milliseconds. */
function wholeMsText(duration: Duration): string {
  return msOf(duration) === 0 ? "< 1 ms" : `${msOf(duration)} ms`;
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
