import type { EndingCall } from "./call-end.js";
import type { Refusals } from "./refusals.js";
import type { TrafficLimits } from "./traffic-limits.js";

/** The limits of a queue. */
export type QueueLimits = Pick<TrafficLimits, "callBytes" | "waitingCalls" | "callsPerPrincipal">;

/** Share of all bytes that the calls of one principal may take. */
const principalShare = 1 / 4;
/** Share of all bytes that the calls of one connection without credentials may take. */
const connectionShare = 1 / 8;

/**
 * Maximum number of reading calls of one principal that the server works on at the same time while
 * another principal calls too. Searches keep the processor busy, so each further one would only
 * make the others wait. Writes wait for the disk, and the more of them wait together, the fewer
 * syncs they need.
 */
const sharedReadsMax = 8;

/** How long a principal counts as calling after its last call, in milliseconds. */
const activeMs = 1_000;

/**
 * The share of its limits up to which a slot may open or grow. The second half is for slots that
 * grow. A slot grows only once, so it waits only for calls that need no more bytes, and no two
 * calls wait for each other.
 */
const shares = { open: 1 / 2, grow: 1 };

/** What a slot waits for: to open, or to grow. */
type Step = keyof typeof shares;

/** What a slot asks for. `isRead`: whether a call begins that only reads. */
interface Demand {
  readonly bytes: number;
  readonly isRead?: boolean;
}

interface Waiter extends Demand {
  readonly start: () => void;
}

/** The calls of one caller: of a principal or, without credentials, of a connection. */
export interface Lane {
  readonly caller: unknown;
  /** Bytes of the caller's slots. */
  bytes: number;
  /** Number of the caller's slots, open or waiting. */
  slots: number;
  /** Number of the slots that are those of whole calls. */
  calls: number;
  /** Number of open slots of calls that only read. */
  reads: number;
  /** Number of the caller's slots that have grown. */
  grown: number;
  /** The slots that wait, in order of arrival. */
  readonly waiting: Readonly<Record<Step, Waiter[]>>;
}

/**
 * Limits the bytes that the messages of calls take in RAM. Each call in flight has a slot of some
 * bytes. The calls of a caller wait in order of arrival in the caller's lane, and the lanes take
 * turns. The first slot of a caller fits even if it is larger than the caller's share. While
 * several principals call, the server works on only a few reading calls of each (`sharedReadsMax`),
 * so that the calls of a busy principal do not hold up those of the others.
 */
export class CallQueue {
  readonly #limits: QueueLimits;
  readonly #refusals: Refusals;
  readonly #nowMs: () => number;
  readonly #lanes = new Map<unknown, Lane>();
  /** The lanes with slots that wait, in the order of their turns. */
  readonly #turns: Readonly<Record<Step, Set<Lane>>> = { open: new Set(), grow: new Set() };
  #bytes = 0;
  #grown = 0;
  /** The principal of the last call, then that of the last call of another principal. */
  #callers: readonly { readonly caller: string; atMs: number }[] = [];
  /** Number of slots that wait to open. */
  #waiting = 0;
  /** Whether a slot waits for the bytes of other callers, so that no slot may open before it. */
  #isFull = false;

  /** @param nowMs milliseconds of a clock that never jumps */
  constructor(limits: QueueLimits, refusals: Refusals, nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#limits = limits;
    this.#refusals = refusals;
  }

  /** Number of calls that wait for a slot to open. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Bytes of all slots. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Returns the lane of a call that begins.
   *
   * @param caller the identity of a principal, as text, or an object that identifies a connection.
   *   Only the number of a principal's calls is limited
   * @throws RESOURCE_EXHAUSTED (OVERLOADED) when too many calls wait, or when the principal has too
   *   many calls in flight or waiting
   */
  laneOfCall(caller: unknown): Lane {
    const { waitingCalls, callsPerPrincipal } = this.#limits;
    const lane = this.laneOf(caller);
    if (typeof caller === "string" && lane.calls >= callsPerPrincipal) {
      const what = `${callsPerPrincipal} calls with your credentials are in progress`;
      throw this.#refusals.refusalOfCaller(what);
    }
    const hasItsShare =
      typeof caller !== "string" ||
      lane.waiting.open.length >= waitingCalls / this.#turns.open.size ||
      this.#waiting >= 2 * waitingCalls;
    if (this.#waiting >= waitingCalls && hasItsShare)
      throw this.#refusals.refusalOf(`the server is busy, and ${this.#waiting} calls wait`);
    if (typeof caller === "string") this.#noteCaller(caller);
    return lane;
  }

  #noteCaller(caller: string): void {
    const [last] = this.#callers;
    const atMs = this.#nowMs();
    if (last?.caller === caller) last.atMs = atMs;
    else this.#callers = last === undefined ? [{ caller, atMs }] : [{ caller, atMs }, last];
  }

  /** Whether another principal than that of a lane has called a short time ago. */
  #hasCompany({ caller }: Lane): boolean {
    const other = this.#callers.find((it) => it.caller !== caller);
    return other !== undefined && this.#nowMs() - other.atMs < activeMs;
  }

  /** Returns the lane of a call that has begun, which is never refused. */
  laneOf(caller: unknown): Lane {
    return (
      this.#lanes.get(caller) ?? {
        caller,
        bytes: 0,
        slots: 0,
        calls: 0,
        reads: 0,
        grown: 0,
        waiting: { open: [], grow: [] },
      }
    );
  }

  /** Adds a slot to a lane, or removes one. */
  count(lane: Lane, change: 1 | -1, isCall: boolean): void {
    lane.slots += change;
    if (isCall) lane.calls += change;
    if (lane.slots === 0) this.#lanes.delete(lane.caller);
    else this.#lanes.set(lane.caller, lane);
  }

  /**
   * Reserves bytes in a lane. Returns a promise only if they do not fit yet.
   *
   * @param demand the bytes, and whether a call begins that only reads
   * @param onReserved called when the bytes are reserved
   * @throws the error of the ended call, as a rejection, when the call ends while it waits
   */
  reserve(
    step: Step,
    lane: Lane,
    demand: Demand,
    call: EndingCall,
    onReserved: () => void,
  ): Promise<void> | undefined {
    const { bytes } = demand;
    const start = (): void => {
      if (step === "grow") this.noteGrown(lane, 1);
      this.change(lane, bytes);
      onReserved();
    };
    const mustWait =
      lane.waiting[step].length > 0 ||
      (step === "open" && this.#isFull) ||
      !this.#fitsLane(step, lane, demand) ||
      !this.#fitsAll(step, bytes);
    if (mustWait) return this.#wait(step, lane, demand, call, start);
    start();
    return undefined;
  }

  /** Changes the number of grown slots. */
  noteGrown(lane: Lane, change: 1 | -1): void {
    lane.grown += change;
    this.#grown += change;
  }

  /** Changes the number of reserved bytes, even if it then exceeds a limit. */
  change(lane: Lane, bytes: number): void {
    lane.bytes += bytes;
    this.#bytes += bytes;
    if (bytes < 0) this.#advance();
  }

  #wait(
    step: Step,
    lane: Lane,
    demand: Demand,
    call: EndingCall,
    onStart: () => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = lane.waiting[step];
      const leave = (): void => {
        stopListening();
        queue.splice(queue.indexOf(waiter), 1);
        if (queue.length === 0) this.#turns[step].delete(lane);
        if (step === "open") this.#waiting--;
      };
      const start = (): void => {
        leave();
        onStart();
        resolve();
      };
      const waiter = { ...demand, start };
      const stopListening = call.onEnd((reason) => {
        leave();
        reject(reason);
        this.#advance();
      });
      queue.push(waiter);
      this.#turns[step].add(lane);
      if (step === "open") this.#waiting++;
      this.#isFull ||= !this.#fitsAll(step, demand.bytes);
    });
  }

  #fitsLane(step: Step, lane: Lane, { bytes: more, isRead = false }: Demand): boolean {
    const { caller, bytes, grown, reads } = lane;
    if (isRead && reads >= sharedReadsMax && this.#hasCompany(lane)) return false;
    const share = typeof caller === "string" ? principalShare : connectionShare;
    const isFirst = step === "open" ? bytes === 0 : grown === 0;
    return isFirst || bytes + more <= this.#limits.callBytes * share * shares[step];
  }

  #fitsAll(step: Step, more: number): boolean {
    const isFirst = step === "open" ? this.#bytes === 0 : this.#grown === 0;
    return isFirst || this.#bytes + more <= this.#limits.callBytes * shares[step];
  }

  /** Starts the waiting slots that fit: first those that grow. The lanes take turns. */
  #advance(): void {
    this.#isFull = false;
    for (const step of ["grow", "open"] as const) {
      // The loop reaches a lane again after it is moved to the end.
      for (const lane of this.#turns[step]) {
        const [next] = lane.waiting[step];
        if (next === undefined || !this.#fitsLane(step, lane, next)) continue;
        if (!this.#fitsAll(step, next.bytes)) {
          this.#isFull = true;
          return;
        }
        next.start();
        if (this.#turns[step].delete(lane)) this.#turns[step].add(lane);
      }
    }
  }
}
