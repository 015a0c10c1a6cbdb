import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import { failureOf } from "../failure.js";
import { Modal } from "../parts/modal.js";
import { Press } from "../parts/press.js";
import { useTypedWord } from "../parts/typed-word.js";
import { Text } from "../text.js";
import { approveAsIs, reject } from "./decide.js";
import { keyOf } from "./inbox-state.js";
import { RejectForm } from "./reject-form.js";
import { marked } from "./selection.js";
import { targetName } from "./target-name.js";

/** Decisions that are made at the same time. */
const atOnce = 4;
/** Decisions above which a person is asked first. */
const askAbove = 20;

type Verdict = "approve" | "reject";

interface Result {
  readonly proposal: Proposal;
  /** Why the decision failed. Absent: it was made. */
  readonly problem?: string;
}

interface Batch {
  readonly verdict: Verdict;
  readonly proposals: readonly Proposal[];
  /** `ask`: the person has to confirm, or to give a reason. */
  readonly step: "ask" | "run" | "done";
  readonly reason: string;
  readonly results: readonly Result[];
}

const batch = signal<Batch | undefined>(undefined);

/** Decides on several proposals: one decision and one result for each. */
export function startBatch(verdict: Verdict, proposals: readonly Proposal[], reason = ""): void {
  if (proposals.length === 0) return;
  const step = verdict === "reject" || proposals.length > askAbove ? "ask" : "run";
  batch.value = { verdict, proposals, step, reason, results: [] };
  if (step === "run") void run();
}

async function run(reason = batch.peek()?.reason ?? ""): Promise<void> {
  const started = batch.peek();
  if (started === undefined) return;
  batch.value = { ...started, step: "run", reason, results: [] };
  const waiting = queuesByTarget(started.proposals);
  const work = async () => {
    for (let queue = waiting.shift(); queue !== undefined; queue = waiting.shift())
      for (const proposal of queue) note(await decideOne(started.verdict, proposal, reason));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const finished = batch.peek();
  if (finished === undefined) return;
  batch.value = { ...finished, step: "done" };
}

/** Decisions about one target follow each other: the next one applies to the text of the last. */
function queuesByTarget(proposals: readonly Proposal[]): Proposal[][] {
  const queues = new Map<string, Proposal[]>();
  for (const proposal of proposals) {
    const name = targetName(proposal);
    queues.set(name, [...(queues.get(name) ?? []), proposal]);
  }
  return [...queues.values()];
}

async function decideOne(verdict: Verdict, proposal: Proposal, reason: string): Promise<Result> {
  try {
    await (verdict === "approve" ? approveAsIs(proposal) : reject(proposal, reason));
    return { proposal };
  } catch (error) {
    return { proposal, problem: failureOf(error).message };
  }
}

function note(result: Result): void {
  const current = batch.peek();
  if (current === undefined) return;
  batch.value = { ...current, results: [...current.results, result] };
  const next = new Set(marked.peek());
  next.delete(keyOf(result.proposal));
  marked.value = next;
}

function close(): void {
  batch.value = undefined;
}

/** Asks before many proposals are approved. */
function AskApproval({ title, word }: { readonly title: string; readonly word: string }) {
  const { isTyped, field } = useTypedWord(word);
  const go = () => {
    if (isTyped) void run();
  };
  return (
    <Modal title={title} onClose={close} onConfirm={go}>
      <p>Have you read all of them? Each one gets a decision of its own.</p>
      {field}
      <div class="buttons">
        <Press kind="main" isOff={!isTyped} onPress={go}>
          Approve
        </Press>
        <Press onPress={close}>Cancel</Press>
      </div>
    </Modal>
  );
}

/** The dialog of a decision about several proposals. */
export function BatchDialog(): JSX.Element | null {
  const current = batch.value;
  if (current === undefined) return null;
  const { verdict, proposals, step, results, reason } = current;
  const title = `${verdict === "approve" ? "Approve" : "Reject"} ${proposals.length} proposals`;
  const word = proposals.length > askAbove ? `${verdict} ${proposals.length}` : undefined;
  if (step === "ask" && verdict === "reject")
    return (
      <RejectForm
        title={title}
        initial={reason}
        word={word}
        onReject={(given) => void run(given)}
        onClose={close}
      />
    );
  if (step === "ask") return <AskApproval title={title} word={word ?? ""} />;
  const failed = results.filter(({ problem }) => problem !== undefined);
  return (
    <Modal title={title} onClose={close}>
      <p role="status" data-testid="batch-status">
        {results.length - failed.length} done, {failed.length} failed
        {step === "run" ? `, ${proposals.length - results.length} to go` : ""}.
      </p>
      {failed.length > 0 && (
        <ul class="batch-failures">
          {failed.map(({ proposal, problem = "" }) => (
            <li key={proposal.id}>
              <Text value={targetName(proposal)} />: <Text value={problem} />
            </li>
          ))}
        </ul>
      )}
      {step === "done" && (
        <div class="buttons">
          {failed.length > 0 && (
            <Press
              onPress={() => {
                const again = failed.map(({ proposal }) => proposal);
                batch.value = { ...current, proposals: again, step: "run" };
                void run();
              }}
            >
              Try these {failed.length} again
            </Press>
          )}
          <Press kind="main" onPress={close}>
            Close
          </Press>
        </div>
      )}
    </Modal>
  );
}
