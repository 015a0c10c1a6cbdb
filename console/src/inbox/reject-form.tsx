import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Modal } from "../parts/modal.js";
import { Press } from "../parts/press.js";
import { useTypedWord } from "../parts/typed-word.js";

/** Reasons that approvers give often. The agent reads them. */
const kept = [
  "This is not true.",
  "This is true, but not worth keeping.",
  "The text says this already.",
  "This belongs into another block or memory.",
  "The wording is unclear. Propose it again in plain words.",
  "The user has not agreed to keep this.",
];

interface RejectFormProps {
  readonly title: string;
  readonly initial?: string;
  /** A word to type before many are rejected. Absent: none. */
  readonly word?: string | undefined;
  readonly onReject: (reason: string) => void;
  readonly onClose: () => void;
}

/** Asks for the reason of a rejection. */
export function RejectForm({
  title,
  initial = "",
  word,
  onReject,
  onClose,
}: RejectFormProps): JSX.Element {
  const reason = useSignal(initial);
  const { isTyped, field } = useTypedWord(word ?? "");
  const send = () => {
    if (isTyped) onReject(reason.value);
  };
  return (
    <Modal title={title} onClose={onClose} onConfirm={send}>
      <p>The agent reads the reason, and can propose something better.</p>
      <fieldset class="kept-reasons">
        <legend class="spoken">Reasons</legend>
        {kept.map((text, index) => (
          <label key={text}>
            <input
              autofocus={index === 0}
              type="radio"
              name="reason"
              checked={reason.value === text}
              onChange={() => {
                reason.value = text;
              }}
            />
            {text}
          </label>
        ))}
      </fieldset>
      <label class="field">
        Reason for the agent
        <textarea
          rows={3}
          maxLength={1_000}
          value={reason.value}
          onInput={({ currentTarget }) => {
            reason.value = currentTarget.value;
          }}
        />
      </label>
      {word !== undefined && field}
      <div class="buttons">
        <Press kind="danger" keyName="Ctrl+Enter" isOff={!isTyped} onPress={send}>
          {reason.value === "" ? "Reject without a reason" : "Reject"}
        </Press>
        <Press onPress={onClose}>Cancel</Press>
      </div>
    </Modal>
  );
}
