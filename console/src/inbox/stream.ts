import { Code } from "@connectrpc/connect";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { failureOf } from "../failure.js";
import { proposals } from "../rpc.js";
import type { FeedMessage } from "./feed.js";

const heartbeatSeconds = 5n;
/** Silence after which a stream counts as lost: less than two heartbeats. */
export const silenceMs = 8_000;
const firstRetryMs = 250;
const lastRetryMs = 5_000;
const pollMs = 5_000;
const pageSize = 1_000;
const pagesMax = 10;
/** Streams without a first message after which the page asks instead: a proxy holds them back. */
const silentStreamsMax = 2;

type Publish = (message: FeedMessage) => void;

/**
 * Follows what waits until `signal` ends it: over a stream, and by asking every few seconds where
 * no stream gets through.
 */
export async function followInbox(publish: Publish, signal: AbortSignal): Promise<void> {
  let retryMs = firstRetryMs;
  let silentStreams = 0;
  while (!signal.aborted && silentStreams < silentStreamsMax) {
    const { isHeard, code } = await readStream(publish, signal);
    if (signal.aborted) return;
    if (code === Code.Unauthenticated || code === Code.PermissionDenied) {
      publish({ kind: "status", status: "closed" });
      return;
    }
    silentStreams = isHeard || code !== Code.Canceled ? 0 : silentStreams + 1;
    publish({ kind: "status", status: "lost" });
    retryMs = isHeard ? firstRetryMs : Math.min(lastRetryMs, retryMs * 2);
    await pause(retryMs * (0.5 + Math.random() / 2), signal);
  }
  await pollInbox(publish, signal);
}

/** Reads one stream to its end. */
async function readStream(publish: Publish, signal: AbortSignal) {
  const attempt = new AbortController();
  let isHeard = false;
  let watchdog = setTimeout(() => attempt.abort(), silenceMs);
  try {
    publish({ kind: "begin" });
    const stream = proposals.watchInbox(
      { heartbeat: { seconds: heartbeatSeconds } },
      { signal: AbortSignal.any([signal, attempt.signal]), timeoutMs: 0 },
    );
    for await (const { proposal, waitingSent } of stream) {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => attempt.abort(), silenceMs);
      if (proposal !== undefined) publish({ kind: "proposals", proposals: [proposal] });
      if (waitingSent) publish({ kind: "complete" });
      if (!isHeard || proposal === undefined) publish({ kind: "status", status: "live" });
      isHeard = true;
    }
    return { isHeard, code: undefined };
  } catch (error) {
    return { isHeard, code: failureOf(error).code };
  } finally {
    clearTimeout(watchdog);
  }
}

/** Asks what waits every few seconds while the page is visible, until `signal` ends it. */
export async function pollInbox(publish: Publish, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (document.visibilityState === "visible") await pollOnce(publish, signal);
    await pause(pollMs, signal);
  }
}

async function pollOnce(publish: Publish, signal: AbortSignal): Promise<void> {
  try {
    publish({ kind: "begin" });
    let pageToken = "";
    for (let page = 0; page < pagesMax; page += 1) {
      const response = await proposals.listProposals(
        { status: ProposalStatus.PENDING, limit: pageSize, order: 2, pageToken },
        { signal },
      );
      publish({ kind: "proposals", proposals: response.proposals });
      pageToken = response.nextPageToken;
      if (pageToken === "") break;
    }
    publish({ kind: "complete" });
    publish({ kind: "status", status: "polling" });
  } catch {
    if (!signal.aborted) publish({ kind: "status", status: "lost" });
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
