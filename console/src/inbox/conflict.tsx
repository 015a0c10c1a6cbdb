import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import type { ProposalConflict } from "#gen/vademecum/v1/proposal_service_pb.js";
import { hasRole } from "../caller.js";
import { FailureNote } from "../parts/notes.js";
import { Press } from "../parts/press.js";
import { memories, newIdempotencyKey } from "../rpc.js";
import { Text } from "../text.js";

interface ConflictProps {
  readonly proposal: Proposal;
  readonly conflict: ProposalConflict;
}

/** The three texts of an edit that could not be applied, byte for byte. */
export function Conflict({ proposal, conflict }: ConflictProps): JSX.Element {
  const { baseText, currentText, proposedText } = conflict;
  const sent = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const propose = async () => {
    const { namespace, target } = proposal;
    if (namespace === undefined || target.case === undefined) return;
    try {
      await memories.proposeEdit({
        namespace,
        target,
        change: { case: "newBody", value: proposedText },
        reasoning: proposal.reasoning,
        confidence: proposal.confidence,
        idempotencyKey: newIdempotencyKey(),
      });
      sent.value = true;
    } catch (failure) {
      error.value = failure;
    }
  };
  const texts = [
    ["At the time of the proposal", baseText],
    ["When it was approved", currentText],
    ["Proposed", proposedText],
  ] as const;
  return (
    <section aria-label="Texts in conflict">
      <div class="three-texts">
        {texts.map(([name, text]) => (
          <div key={name}>
            <h3>{name}</h3>
            {text === undefined ? (
              <p class="faint">The memory had expired.</p>
            ) : (
              <pre>
                <Text value={text} />
              </pre>
            )}
          </div>
        ))}
      </div>
      {error.value !== undefined && <FailureNote error={error.value} />}
      {hasRole("proposer") &&
        (sent.value ? (
          <p class="note">Proposed again, as a change of the whole text.</p>
        ) : (
          <div class="buttons">
            <Press onPress={() => void propose()}>Propose the right text again</Press>
          </div>
        ))}
    </section>
  );
}
