import type { JSX } from "preact";
import { WideAction } from "../parts/wide-action.js";
import { admin } from "../rpc.js";

/** How long to wait for the first message of the work, in milliseconds: a refusal comes at once. */
const beginMs = 3_000;

/** Begins to give new vectors to all that has those of another model. Goes on without the page. */
export function ReindexAction(): JSX.Element {
  return (
    <WideAction
      name="Reindex all"
      word="reindex"
      preview={async (signal) => {
        const { modelId } = await admin.getServer({}, { signal });
        return modelId === ""
          ? "This server makes no vectors, so there is nothing to do."
          : `This gives new vectors of ${modelId} to all memories and skills that have none, or those of another model.`;
      }}
      run={async () => {
        await begin();
        return "It has begun, and goes on when you leave. Its progress is in the list of jobs.";
      }}
    >
      <p>Searches and writes go on meanwhile. You can cancel it in the list.</p>
    </WideAction>
  );
}

/** Sends the call, and leaves it to the server. @throws ConnectError when the server refuses it */
async function begin(): Promise<void> {
  const leaving = new AbortController();
  const request = { target: { case: "all", value: true }, detached: true } as const;
  const work = admin.reindex(request, { signal: leaving.signal, timeoutMs: 0 });
  const first = work[Symbol.asyncIterator]().next();
  const time = new Promise((resolve) => setTimeout(resolve, beginMs));
  await Promise.race([first, time]);
  first.catch(() => undefined);
  leaving.abort();
}
