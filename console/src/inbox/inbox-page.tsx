import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { serverUrl } from "../base-path.js";
import { hasRole } from "../caller.js";
import { goToChange } from "../diff/diff-view.js";
import { type KeyCommand, useKeys } from "../keyboard.js";
import { replaceQuery } from "../location.js";
import { Empty, Sample } from "../parts/notes.js";
import { Press } from "../parts/press.js";
import { Text } from "../text.js";
import { approveShown, rejecting, rejectShown } from "./act.js";
import { BatchDialog, startBatch } from "./bulk.js";
import { checkInAdvance } from "./checks.js";
import { lastDone, undoLast } from "./decide.js";
import { toggleDiffForm, toggleEdit, toggleWhiteSpace } from "./decision-bar.js";
import { ProposalDetail } from "./detail.js";
import { detail, followSelection } from "./detail-state.js";
import { feedStatus, inboxVersion } from "./feed.js";
import { FilterBar } from "./filter-bar.js";
import { InboxList } from "./list.js";
import { RejectForm } from "./reject-form.js";
import {
  choose,
  chooseNone,
  counts,
  currentIndex,
  currentKey,
  extendMarks,
  filter,
  marked,
  markedProposals,
  rows,
  toggleMark,
} from "./selection.js";
import { targetName } from "./target-name.js";

const approverKeys: readonly KeyCommand[] = [
  { key: "a", does: "approve", run: () => void approveShown() },
  { key: "e", does: "edit before approving", run: toggleEdit },
  { key: "Ctrl+Enter", does: "approve the edited text", run: () => void approveShown() },
  { key: "r", does: "reject with a reason", run: askReason },
  { key: "z", does: "undo the last approval", run: () => void undoLast() },
  { key: "x", does: "mark", run: () => toggleMark(currentIndex.peek()) },
  { key: "Shift+j", does: "mark, and go on", run: () => extendMarks(1) },
  { key: "Shift+k", does: "mark, and go back", run: () => extendMarks(-1) },
  { key: "Shift+a", does: "approve what is marked", run: () => decideMarked("approve") },
  { key: "Shift+r", does: "reject what is marked", run: () => decideMarked("reject") },
];

const readerKeys: readonly KeyCommand[] = [
  { key: "j", does: "next proposal", run: () => choose(currentIndex.peek() + 1) },
  { key: "k", does: "previous proposal", run: () => choose(currentIndex.peek() - 1) },
  { key: "ArrowDown", does: "next proposal", run: () => choose(currentIndex.peek() + 1) },
  { key: "ArrowUp", does: "previous proposal", run: () => choose(currentIndex.peek() - 1) },
  { key: "]", does: "next change", run: () => goToChange(1) },
  { key: "[", does: "previous change", run: () => goToChange(-1) },
  { key: "s", does: "side by side or unified", run: toggleDiffForm },
  { key: "w", does: "show white space", run: toggleWhiteSpace },
  { key: "Escape", does: "back to the list", run: chooseNone },
];

function askReason(): void {
  rejecting.value = currentKey.peek();
}

function decideMarked(verdict: "approve" | "reject"): void {
  startBatch(verdict, markedProposals());
}

/** The inbox: what waits for a decision, of all users whom the person may name. */
export function InboxPage(): JSX.Element {
  useEffect(followSelection, []);
  useEffect(checkInAdvance, [inboxVersion.value]);
  useKeys(hasRole("approver") ? [...readerKeys, ...approverKeys] : readerKeys);
  const { proposal } = detail.value?.response ?? {};
  return (
    <div class={currentKey.value === undefined ? "inbox" : "inbox has-detail"}>
      <section class="inbox-side" aria-label="Inbox">
        <FilterBar />
        {rows.value.length === 0 ? <NothingWaits /> : <InboxList />}
        <MarkedBar />
      </section>
      <section class="inbox-main" aria-label="Selected proposal">
        <DoneBar />
        {currentKey.value !== undefined && (
          <div class="back-to-list">
            <Press onPress={chooseNone}>‹ All proposals</Press>
          </div>
        )}
        <ProposalDetail />
      </section>
      {rejecting.value !== undefined && rejecting.value === currentKey.value && proposal && (
        <RejectForm
          title={`Reject the edit of ${targetName(proposal)}`}
          onReject={(reason) => void rejectShown(reason)}
          onClose={() => {
            rejecting.value = undefined;
          }}
        />
      )}
      <BatchDialog />
    </div>
  );
}

function NothingWaits(): JSX.Element {
  const isFiltered = Object.values(filter.value).some((value) => value !== "");
  if (feedStatus.value === "connecting") return <p class="loading">Asking what waits…</p>;
  if (isFiltered)
    return (
      <Empty title="No match">
        <p>Proposals wait, but none passes the filter.</p>
        <Press onPress={() => replaceQuery({ user: "", agent: "", target: "", group: "" })}>
          Clear the filter
        </Press>
      </Empty>
    );
  return (
    <Empty title="Nothing waits">
      <p>An agent proposes a change with ProposeEdit. It appears here at once:</p>
      <Sample
        text={`curl ${serverUrl}vademecum.v1.MemoryProvider/ProposeEdit \\
  -H 'content-type: application/json' \\
  -d '{"namespace":{"userId":"ada","agentId":"tutor"},
       "blockLabel":"profile","newBody":"Likes math",
       "reasoning":"She said so"}'`}
      />
    </Empty>
  );
}

/** What can be done with the marked proposals. */
function MarkedBar(): JSX.Element | null {
  const count = marked.value.size;
  const stale = counts.value.stale;
  if (!hasRole("approver") || (count === 0 && stale === 0)) return null;
  return (
    <div class="marked-bar">
      {count > 0 && (
        <>
          <span>{count} marked</span>
          <Press keyName="Shift+A" onPress={() => decideMarked("approve")}>
            Approve
          </Press>
          <Press keyName="Shift+R" kind="danger" onPress={() => decideMarked("reject")}>
            Reject
          </Press>
          <Press
            onPress={() => {
              marked.value = new Set();
            }}
          >
            Clear
          </Press>
        </>
      )}
      {count === 0 && stale > 0 && (
        <Press
          onPress={() => {
            const all = rows.peek().filter(({ group }) => group === "stale");
            startBatch(
              "reject",
              all.map(({ proposal: each }) => each),
              "The text has changed since, so this edit no longer applies.",
            );
          }}
        >
          {stale === 1 ? "Reject the stale one…" : `Reject all ${stale} stale…`}
        </Press>
      )}
    </div>
  );
}

/** What the last decision did. */
function DoneBar(): JSX.Element | null {
  const done = lastDone.value;
  if (done === undefined) return null;
  return (
    <p class="done-bar" data-testid="done">
      <Text value={done.text} />
      {done.undo !== undefined && (
        <Press keyName="z" onPress={() => void undoLast()}>
          {done.undo.name}
        </Press>
      )}
      <Press
        label="Close this message"
        onPress={() => {
          lastDone.value = undefined;
        }}
      >
        ✕
      </Press>
    </p>
  );
}
