import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import { approveShown } from "./act.js";
import { keepDraft } from "./detail-state.js";
import { keyOf } from "./inbox-state.js";

interface EditFormProps {
  readonly proposal: Proposal;
  readonly draft: string;
}

/** Where an approver changes the proposed text before approving it. The comparison follows. */
export function EditForm({ proposal, draft }: EditFormProps): JSX.Element {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const key = keyOf(proposal);
  return (
    <label class="field">
      {proposal.change.case === "append" ? "Text to add" : "New text"}
      <textarea
        ref={area}
        class="text-area"
        rows={Math.min(16, draft.split("\n").length + 2)}
        value={draft}
        onInput={({ currentTarget }) => keepDraft(key, currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && event.ctrlKey) {
            event.preventDefault();
            void approveShown();
          } else if (event.key === "Escape") {
            event.stopPropagation();
            keepDraft(key, undefined);
          }
        }}
      />
    </label>
  );
}
