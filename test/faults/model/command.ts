import fc from "fast-check";
import { failureOf } from "../../e2e/harness/failure.js";
import type { KeyedCall, Model } from "./model.js";
import type { Real } from "./real.js";

/** A call to the server that also changes the model. */
export type ModelCommand = fc.AsyncCommand<Model, Real>;

/** Any whole number, to pick one of the records that the model has when the command runs. */
export const anyNumber = fc.nat({ max: 9_999 });

/** Whether the call has an idempotency key. */
export const isKeyed = fc.boolean();

/** Creates commands: `run` sends the call, compares its reply, and changes the model. */
export function commandOf<T extends object>(
  name: string,
  values: fc.Arbitrary<T>,
  run: (values: T, model: Model, real: Real) => Promise<void>,
): fc.Arbitrary<ModelCommand> {
  return values.map((given) => ({
    check: () => true,
    async run(model, real) {
      real.tally.count("operations");
      await run(given, model, real);
    },
    toString: () => `${name}${JSON.stringify(given)}`,
  }));
}

/**
 * Sends a call, with an idempotency key if `keyed`. Remembers a keyed call, so that a later command
 * can repeat it.
 *
 * Requires: `send` takes its client from `real` each time, because a restart ends the connection.
 */
export async function sendCall<T>(
  { model, real }: { readonly model: Model; readonly real: Real },
  name: string,
  keyed: boolean,
  send: (key: { readonly idempotencyKey?: string }) => Promise<T>,
  made?: Made<T>,
): Promise<T> {
  if (!keyed) return send({});
  const key = { idempotencyKey: real.word() };
  const reply = await send(key);
  const call = { name, send: () => send(key) };
  remember(model, call, reply, made);
  return reply;
}

/** What a call makes: the name of its record, and what a new call changes in the model. */
export interface Made<T> {
  readonly targetOf: (reply: T) => string;
  readonly redo?: (reply: T) => void;
}

function remember<T>(
  model: Model,
  call: Pick<KeyedCall, "name" | "send">,
  reply: T,
  made: Made<T> | undefined,
): void {
  if (made === undefined) {
    model.keyedCalls.push({ ...call, reply });
    return;
  }
  const target = made.targetOf(reply);
  const { redo } = made;
  model.keyedCalls.push({
    ...call,
    reply,
    made: { target, deletions: model.deletions.get(target) ?? 0 },
    redo:
      redo &&
      ((next) => {
        redo(next as T);
        remember(model, call, next as T, made);
      }),
  });
}

/** Throws unless the call fails with the given reason. */
export async function expectFailure(call: Promise<unknown>, reason: string): Promise<void> {
  const failure = await failureOf(call);
  if (failure.reason !== reason)
    throw new Error(`failed with ${failure.code} (${failure.reason}) instead of ${reason}`);
}
