import type { JSX } from "preact";
import { hasRole } from "../caller.js";
import { goToChange, isSplit } from "../diff/diff-view.js";
import { Press } from "../parts/press.js";
import { diffForm, nextOf, whiteSpace } from "../preferences.js";
import { approveShown, asked, canApprove, canDecide, rejecting } from "./act.js";
import { detail, drafts, keepDraft } from "./detail-state.js";
import { proposedWords } from "./effect.js";
import { feedStatus } from "./feed.js";
import { currentKey } from "./selection.js";

/** Starts to edit the proposed text, or stops. */
export function toggleEdit(): void {
  const { key, response } = detail.peek() ?? {};
  if (key === undefined || response?.proposal === undefined || !canApprove()) return;
  const isEditing = drafts.peek().has(key);
  keepDraft(key, isEditing ? undefined : proposedWords(response.proposal));
}

/** Draws comparisons in the other form. */
export function toggleDiffForm(): void {
  diffForm.value = isSplit() ? "unified" : "split";
}

/** Shows white space in comparisons, or hides it. */
export function toggleWhiteSpace(): void {
  whiteSpace.value = nextOf(["off", "on"], whiteSpace.value);
}

/** The buttons to decide on the shown proposal. People who may not decide do not see them. */
export function DecisionBar(): JSX.Element {
  const key = currentKey.value ?? "";
  const isEditing = drafts.value.has(key);
  const isAsked = asked.value?.key === key;
  const isStuck = feedStatus.value === "lost" || feedStatus.value === "connecting";
  return (
    <footer class="decision-bar">
      {hasRole("approver") ? (
        <>
          <Press
            kind="main"
            keyName={isEditing ? "Ctrl+Enter" : "a"}
            isOff={!canApprove()}
            onPress={() => void approveShown()}
          >
            {isAsked ? "Approve all the same" : isEditing ? "Approve edited" : "Approve"}
          </Press>
          <Press keyName="e" isOff={!canApprove()} isPressed={isEditing} onPress={toggleEdit}>
            {isEditing ? "Keep as proposed" : "Edit"}
          </Press>
          <Press
            kind="danger"
            keyName="r"
            isOff={!canDecide()}
            onPress={() => {
              rejecting.value = key;
            }}
          >
            Reject
          </Press>
          {isStuck && <span class="faint">The server does not answer; decisions are off.</span>}
        </>
      ) : (
        <span class="faint">You may read proposals, but not decide on them (role approver).</span>
      )}
      <span class="spacer" />
      <Press keyName="]" onPress={() => goToChange(1)}>
        Next change
      </Press>
      <Press keyName="s" onPress={toggleDiffForm}>
        {isSplit() ? "Unified" : "Side by side"}
      </Press>
      <Press keyName="w" isPressed={whiteSpace.value === "on"} onPress={toggleWhiteSpace}>
        White space
      </Press>
    </footer>
  );
}
