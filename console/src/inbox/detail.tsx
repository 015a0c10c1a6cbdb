import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { Applicability, type GetProposalResponse } from "#gen/vademecum/v1/proposal_service_pb.js";
import { hasRole } from "../caller.js";
import { Diff } from "../diff/diff-view.js";
import { Moment } from "../parts/moment.js";
import { FailureNote, Loading } from "../parts/notes.js";
import { Twice } from "../parts/twice.js";
import { hrefOf } from "../router.js";
import { Text } from "../text.js";
import { asked, decisionError, isOwn } from "./act.js";
import { Conflict } from "./conflict.js";
import { DecisionBar } from "./decision-bar.js";
import { changeNotice, detail, drafts, loadDetail } from "./detail-state.js";
import { EditForm } from "./edit-form.js";
import { applyEdit } from "./effect.js";
import { inbox, inboxVersion } from "./feed.js";
import { confidenceNames, isStale, staleReasons } from "./groups.js";
import { currentKey } from "./selection.js";
import { undoOf } from "./undo.js";
import { checkUndone, isUndone } from "./undone.js";

/** What the selected proposal would do, and the buttons to decide. */
export function ProposalDetail(): JSX.Element {
  const key = currentKey.value;
  const shown = detail.value;
  if (key === undefined)
    return <p class="faint pad">Select a proposal. j goes to the next one, a approves it.</p>;
  if (shown === undefined || shown.key !== key) return <Loading what="the proposal" />;
  if (shown.error !== undefined)
    return <FailureNote error={shown.error} onRetry={() => void loadDetail(key)} />;
  const { response } = shown;
  if (response?.proposal === undefined) return <Loading what="the proposal" />;
  return <Shown key={key} response={response} proposal={response.proposal} />;
}

interface ShownProps {
  readonly response: GetProposalResponse;
  readonly proposal: Proposal;
}

function Shown({ response, proposal }: ShownProps) {
  const { preview, conflict } = response;
  const key = currentKey.value ?? "";
  void inboxVersion.value;
  const outcome = proposal.status === ProposalStatus.PENDING ? inbox.outcomes.get(key) : proposal;
  return (
    <article class="detail" aria-label="Proposal">
      <Head proposal={proposal} />
      {changeNotice.value !== "" && (
        <p class="note warning" role="status">
          {changeNotice.value}
        </p>
      )}
      {outcome !== undefined && <Outcome proposal={outcome} />}
      {outcome === undefined && hasRole("approver") && isOwn(proposal) && (
        <p class="note">
          You proposed this edit yourself, so somebody else has to approve it. You can reject it.
        </p>
      )}
      {decisionError.value !== undefined && <FailureNote error={decisionError.value} />}
      {conflict !== undefined && <Conflict proposal={proposal} conflict={conflict} />}
      {preview !== undefined && <Effect response={response} proposal={proposal} />}
      {preview === undefined && conflict === undefined && <Decided response={response} />}
      {outcome === undefined && <DecisionBar />}
    </article>
  );
}

function Head({ proposal }: { readonly proposal: Proposal }) {
  const { namespace, target, confidence, reasoning, createTime, expireTime, repeatOf } = proposal;
  const userId = namespace?.userId ?? "";
  const isBlock = target.case === "blockLabel";
  const href = isBlock
    ? hrefOf(["u", userId, "b", target.value])
    : hrefOf(["u", userId, "a", namespace?.agentId ?? "", "m", target.value ?? ""]);
  return (
    <header>
      <h2>
        {isBlock ? "block" : "memory"}{" "}
        <a href={href}>
          <Text value={target.value ?? ""} />
        </a>{" "}
        of <Text value={userId} />
      </h2>
      <p class="meta">
        by <Text value={namespace?.agentId ?? ""} /> · confidence {confidenceNames[confidence]} ·{" "}
        <Moment time={createTime} /> · expires <Moment time={expireTime} />
        {repeatOf !== undefined && (
          <>
            {" · "}
            <a href={hrefOf(["inbox", userId, repeatOf])}>repeats a rejected proposal</a>
          </>
        )}
      </p>
      {reasoning !== "" && (
        <p class="why">
          <span class="faint">Why: </span>
          <Text value={reasoning} />
        </p>
      )}
    </header>
  );
}

/** What an approval would do now. */
function Effect({ response, proposal }: ShownProps) {
  const { preview } = response;
  const key = currentKey.value ?? "";
  if (preview === undefined) return null;
  const { applicability, targetVersion, currentText = "", resultText = "" } = preview;
  if (isStale(applicability)) return <Stale response={response} proposal={proposal} />;
  const draft = drafts.value.get(key);
  const after = draft === undefined ? resultText : applyEdit(proposal, currentText, draft);
  const isNew = targetVersion === 0n;
  return (
    <>
      <p class="effect">
        {isNew
          ? "Approving creates the block."
          : `Approving takes the ${proposal.target.case === "blockLabel" ? "block" : "memory"} from version ${targetVersion} to ${targetVersion + 1n}.`}
        {applicability === Applicability.APPLIES_TO_CHANGED_TEXT &&
          " The text has changed since the proposal; this is the edit of the text as it is now."}
      </p>
      {asked.value?.key === key && (
        <p
          class="note warning asked"
          role="alert"
          ref={(element) => element?.scrollIntoView({ block: "nearest" })}
        >
          Sure? {asked.value.why.join("; ")}. Press the key once more to approve.
        </p>
      )}
      {draft !== undefined && <EditForm proposal={proposal} draft={draft} />}
      <Diff
        before={currentText}
        after={after}
        beforeName={isNew ? "Now: no block" : `Now (version ${targetVersion})`}
        afterName={draft === undefined ? "After" : "After, with your text"}
      />
    </>
  );
}

/** A waiting proposal that cannot be applied. */
function Stale({ response, proposal }: ShownProps) {
  const { preview } = response;
  const reason = staleReasons[preview?.applicability ?? Applicability.UNSPECIFIED];
  const { oldString, newString, change } = proposal;
  return (
    <>
      <p class="note warning">
        This edit cannot be applied: {reason}. {hasRole("approver") && "Reject it, with a reason."}
      </p>
      <Diff
        before={change.case === undefined ? oldString : ""}
        after={change.case === undefined ? newString : change.value}
        beforeName="Text to replace"
        afterName="Proposed text"
      />
    </>
  );
}

/** Who decided, and what the reason was. */
function Outcome({ proposal }: { readonly proposal: Proposal }) {
  useEffect(() => void checkUndone([proposal]), [proposal.id]);
  const { status, decidedBy, decidedFor, decideTime, decisionReason, editedNewString } = proposal;
  const isUndoable = status === ProposalStatus.APPROVED && !isUndone(proposal);
  const undo = isUndoable && !proposal.textsRemoved ? undoOf(proposal) : undefined;
  const verb: Partial<Record<ProposalStatus, string>> = {
    [ProposalStatus.APPROVED]: "approved",
    [ProposalStatus.REJECTED]: "rejected",
    [ProposalStatus.CONFLICTED]: "found conflicted",
    [ProposalStatus.EXPIRED]: "expired",
  };
  return (
    <p class="note outcome" role="status">
      {status === ProposalStatus.EXPIRED ? (
        "The proposal has expired."
      ) : (
        <>
          {decidedBy === undefined ? "It was " : <Text value={`${decidedBy} `} />}
          {verb[status]}
          {decidedBy === undefined ? "" : " it"}
          {decidedFor !== undefined && (
            <>
              {" "}
              in the name of <Text value={decidedFor} />
            </>
          )}{" "}
          <Moment time={decideTime} />.
        </>
      )}
      {editedNewString !== undefined && " The approver edited the text."}
      {isUndone(proposal) && <b> Undone since: the text from before was restored.</b>}
      {decisionReason !== undefined && decisionReason !== "" && (
        <>
          {" "}
          Reason: <Text value={decisionReason} />
        </>
      )}
      {undo !== undefined && (
        <Twice name={undo.name} nameAgain={`${undo.name} now`} run={undo.run} />
      )}
    </p>
  );
}

/** The texts of a proposal that was decided. */
function Decided({ response }: { readonly response: GetProposalResponse }) {
  const { proposal } = response;
  if (proposal === undefined) return null;
  if (proposal.textsRemoved)
    return <p class="note">The target was deleted, and the texts of the proposal with it.</p>;
  return (
    <pre class="unified-text">
      <Text value={proposal.diff} />
    </pre>
  );
}
