import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Memory } from "#gen/vademecum/v1/memory_pb.js";
import { FailureNote } from "../parts/notes.js";
import { Press } from "../parts/press.js";
import { hrefOf } from "../router.js";
import { memories, newIdempotencyKey } from "../rpc.js";

/** Proposes another text for a memory. Somebody else has to approve it. */
export function ProposeForm({ memory }: { readonly memory: Memory }): JSX.Element {
  const text = useSignal(memory.content);
  const reason = useSignal("");
  const error = useSignal<unknown>(undefined);
  const made = useSignal("");
  const { userId = "", agentId = "" } = memory.namespace ?? {};
  const send = async () => {
    try {
      const { proposal } = await memories.proposeEdit({
        namespace: { userId, agentId },
        target: { case: "memoryId", value: memory.id },
        change: { case: "newBody", value: text.value },
        reasoning: reason.value,
        idempotencyKey: newIdempotencyKey(),
      });
      error.value = undefined;
      made.value = proposal?.id ?? "";
    } catch (failure) {
      error.value = failure;
    }
  };
  return (
    <details>
      <summary>Propose an edit</summary>
      <label class="field">
        New text
        <textarea
          rows={3}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
      </label>
      <label class="field">
        Why
        <input
          value={reason.value}
          onInput={({ currentTarget }) => {
            reason.value = currentTarget.value;
          }}
        />
      </label>
      {error.value !== undefined && <FailureNote error={error.value} />}
      {made.value === "" ? (
        <Press
          isOff={text.value === memory.content || reason.value === ""}
          onPress={() => void send()}
        >
          Propose
        </Press>
      ) : (
        <p class="note">
          It <a href={hrefOf(["inbox", userId, made.value])}>waits in the inbox</a>.
        </p>
      )}
    </details>
  );
}
