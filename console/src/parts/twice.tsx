import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { announce } from "../announce.js";
import { failureOf } from "../failure.js";
import { Text } from "../text.js";
import { Press } from "./press.js";

interface TwiceProps {
  readonly name: string;
  /** The name after the first press. */
  readonly nameAgain: string;
  readonly kind?: "plain" | "link";
  /** Does it, and returns what was done in a sentence. Empty: the page shows it in another way. */
  readonly run: () => Promise<string>;
}

/** A button that does something only at the second press, and then says what was done. */
export function Twice({ name, nameAgain, kind = "plain", run }: TwiceProps): JSX.Element {
  const step = useSignal<"first" | "second" | "running">("first");
  const outcome = useSignal("");
  const go = async () => {
    step.value = "running";
    try {
      outcome.value = await run();
    } catch (error) {
      outcome.value = failureOf(error).message;
    }
    announce(outcome.value);
    step.value = "first";
  };
  if (outcome.value !== "") return <Text value={outcome.value} />;
  return (
    <Press
      kind={kind}
      isOff={step.value === "running"}
      onPress={() => {
        if (step.value === "second") void go();
        else step.value = "second";
      }}
    >
      {step.value === "first" ? name : nameAgain}
    </Press>
  );
}
