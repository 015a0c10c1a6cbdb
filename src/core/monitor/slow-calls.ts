import type { EndedCall } from "../ports/ended-call.js";

/** A call that was among the slowest of its minute. */
export interface SlowCall
  extends Pick<EndedCall, "path" | "code" | "reason" | "durationMs" | "requestId">,
    Pick<EndedCall, "waitedMs" | "workedMs" | "rows"> {
  /** When it ended, in milliseconds since 1970. */
  readonly endMs: number;
  /** The tenant of the caller; empty for data without a tenant. */
  readonly tenant: string;
  /** The names in the request. Absent: it named none. */
  readonly userId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly runId?: string | undefined;
  readonly requestBytes: number;
  readonly replyBytes: number;
}

/** Which slow calls to list. */
export interface SlowCallsQuery {
  readonly userId?: string | undefined;
  /** Name of an RPC without its service. */
  readonly method?: string | undefined;
  readonly minDurationMs: number;
  readonly limit: number;
}

/** The slowest calls that are kept of each minute, and for how many minutes. */
const perMinute = 20;
const minutesKept = 60;

interface Minute {
  readonly number: number;
  /** The slowest first, at most `perMinute`. */
  readonly calls: SlowCall[];
}

/** Remembers the slowest calls of the last hour, without texts. In RAM only. */
export class SlowCalls {
  /** The newest last. */
  #minutes: Minute[] = [];

  /** @param nowMs milliseconds since 1970 */
  constructor(private readonly nowMs: () => number) {}

  note(call: EndedCall): void {
    if (call.mayLast) return;
    const endMs = this.nowMs();
    const number = Math.floor(endMs / 60_000);
    let minute = this.#minutes.at(-1);
    if (minute?.number !== number) {
      minute = { number, calls: [] };
      this.#minutes = [...this.#minutes, minute].slice(-minutesKept);
    }
    const { calls } = minute;
    if (calls.length === perMinute && (calls.at(-1)?.durationMs ?? 0) >= call.durationMs) return;
    const at = calls.findIndex(({ durationMs }) => durationMs < call.durationMs);
    calls.splice(at === -1 ? calls.length : at, 0, slowCallOf(call, endMs));
    if (calls.length > perMinute) calls.pop();
  }

  /** Returns the slowest calls of a tenant, the slowest first. */
  list(tenant: string, { userId, method, minDurationMs, limit }: SlowCallsQuery) {
    const oldest = Math.floor(this.nowMs() / 60_000) - minutesKept;
    return this.#minutes
      .filter(({ number }) => number > oldest)
      .flatMap(({ calls }) => calls)
      .filter((call) => call.tenant === tenant && call.durationMs >= minDurationMs)
      .filter((call) => userId === undefined || call.userId === userId)
      .filter((call) => method === undefined || call.path.endsWith(`/${method}`))
      .sort((a, b) => b.durationMs - a.durationMs)
      .slice(0, limit);
  }
}

function slowCallOf(call: EndedCall, endMs: number): SlowCall {
  const { path, code, reason, durationMs, requestId, requestBytes, replyBytes } = call;
  const { waitedMs, workedMs, rows } = call;
  const names = call.names ?? [];
  const idOf = (kind: string) => names.find((name) => name.kind === kind)?.id;
  return {
    ...{ path, code, reason, durationMs, requestId, requestBytes, replyBytes, endMs },
    ...{ waitedMs, workedMs, rows },
    tenant: call.principal?.tenant ?? "",
    ...{ userId: idOf("user"), agentId: idOf("agent"), runId: idOf("run") },
  };
}
