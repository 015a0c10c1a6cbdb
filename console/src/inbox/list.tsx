import type { JSX } from "preact";
import type { Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import { Confidence } from "#gen/vademecum/v1/proposal_pb.js";
import { hiddenNames } from "../hidden.js";
import { Listbox } from "../parts/listbox.js";
import { Moment } from "../parts/moment.js";
import { ShortId, Text } from "../text.js";
import { check } from "./checks.js";
import { feedStatus } from "./feed.js";
import { groupNames } from "./groups.js";
import { choose, currentIndex, marked, rows, toggleMark } from "./selection.js";

/** The list of what waits. */
export function InboxList(): JSX.Element {
  const shown = rows.value;
  const marks = marked.value;
  return (
    <div class={feedStatus.value === "lost" ? "inbox-list stale-list" : "inbox-list"}>
      <Listbox
        label="Proposals that wait"
        count={shown.length}
        current={currentIndex.value}
        isMarked={(index) => marks.has(shown[index]?.key ?? "")}
        onChoose={choose}
        onSeen={(first, end) => check(shown.slice(first, end).map(({ proposal }) => proposal))}
        row={(index) => <Row index={index} />}
      />
    </div>
  );
}

function Row({ index }: { readonly index: number }): JSX.Element {
  const row = rows.value[index];
  if (row === undefined) return <span />;
  const { proposal, group, overlaps, key } = row;
  const { namespace, target, confidence, createTime } = proposal;
  const isMarked = marked.value.has(key);
  const hidden = hiddenIn(proposal);
  return (
    <>
      <span
        class={isMarked ? "check on" : "check"}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          toggleMark(index);
        }}
      >
        {isMarked ? "☑" : "☐"}
      </span>
      <span class={`badge group-${group}`}>{groupNames[group]}</span>
      <span class="cell user">
        <Text value={namespace?.userId ?? ""} />
      </span>
      <span class="cell target">
        {target.case === "memoryId" ? (
          <>
            memory <ShortId value={target.value} />
          </>
        ) : (
          <Text value={target.value ?? ""} />
        )}
      </span>
      <span class="cell agent">
        <Text value={namespace?.agentId ?? ""} />
      </span>
      <span class="marks">
        {overlaps > 1 && (
          <span title="Other waiting edits replace the same words. Approving one makes them stale.">
            +{overlaps - 1} rival{overlaps === 2 ? "" : "s"}
          </span>
        )}
        {confidence === Confidence.LOW && <span class="warn">LOW</span>}
        {hidden.length > 0 && <span class="warn">{hidden[0]}</span>}
      </span>
      <span class="cell age">
        <Moment time={createTime} />
      </span>
    </>
  );
}

const hiddenFound = new WeakMap<Proposal, readonly string[]>();

/** The hidden characters in the new text of a proposal. A list is drawn often, a text read once. */
function hiddenIn(proposal: Proposal): readonly string[] {
  const { newString, change } = proposal;
  const found = hiddenFound.get(proposal) ?? hiddenNames(newString + (change.value ?? ""));
  hiddenFound.set(proposal, found);
  return found;
}
