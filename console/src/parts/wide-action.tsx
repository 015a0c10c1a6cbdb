import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useLoaded } from "../pages/load.js";
import { Modal } from "./modal.js";
import { FailureNote, Loading } from "./notes.js";
import { Press } from "./press.js";
import { useTypedWord } from "./typed-word.js";

interface WideActionProps {
  /** What the action is called, on its button and as the title of its dialog. */
  readonly name: string;
  /** The word to type before it is done. */
  readonly word: string;
  /** Asks the server what the action would do, and returns it in a sentence. */
  readonly preview: (signal: AbortSignal) => Promise<string>;
  /** What a person should know besides. */
  readonly children: ComponentChildren;
  /** Does it, and returns what to show in place of the question. */
  readonly run: () => Promise<ComponentChildren>;
  /** Called when the dialog closes after the action was done. */
  readonly onDone?: () => void;
}

/** A button for an action that changes much: shows what it would do, and asks for a typed word. */
export function WideAction(props: WideActionProps): JSX.Element {
  const isOpen = useSignal(false);
  return (
    <>
      <Press
        onPress={() => {
          isOpen.value = true;
        }}
      >
        {props.name}…
      </Press>
      {isOpen.value && (
        <Dialog
          {...props}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </>
  );
}

interface DialogProps extends WideActionProps {
  readonly onClose: () => void;
}

function Dialog({ name, word, preview, children, run, onDone, onClose }: DialogProps) {
  const { value: effect, error, reload } = useLoaded(preview, []);
  const { isTyped, field } = useTypedWord(word);
  const isRunning = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const outcome = useSignal<ComponentChildren>(undefined);
  const isDone = outcome.value !== undefined;
  const isReady = isTyped && effect !== undefined && !isRunning.value && !isDone;
  const go = async () => {
    if (!isReady) return;
    isRunning.value = true;
    failure.value = undefined;
    try {
      outcome.value = await run();
    } catch (problem) {
      failure.value = problem;
    }
    isRunning.value = false;
  };
  const close = () => {
    onClose();
    if (isDone) onDone?.();
  };
  return (
    <Modal title={name} onClose={close} onConfirm={() => void go()}>
      {error !== undefined && <FailureNote error={error} onRetry={reload} />}
      {failure.value !== undefined && <FailureNote error={failure.value} />}
      {isDone ? (
        <>
          <div role="status">{outcome.value}</div>
          <div class="buttons">
            <Press kind="main" onPress={close}>
              Close
            </Press>
          </div>
        </>
      ) : effect === undefined ? (
        error === undefined && <Loading what="what it would do" />
      ) : (
        <>
          <p class="effect">{effect}</p>
          {children}
          {field}
          <div class="buttons">
            <Press kind="danger" isOff={!isReady} onPress={() => void go()}>
              {isRunning.value ? "Working…" : name}
            </Press>
            <Press onPress={close}>Cancel</Press>
          </div>
        </>
      )}
    </Modal>
  );
}
