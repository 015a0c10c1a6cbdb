import { VademecumError } from "../model/errors.js";
import type { Namespace } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Clock } from "../ports/clock.js";

/** A kind of long work. */
export type JobKind =
  | ("REINDEX" | "PRUNE" | "BACKUP" | "RESTORE" | "LOAD_INDEX")
  | ("EXPORT" | "IMPORT" | "FORGET_USER");

/** What a job is about. */
export interface JobSubject {
  readonly kind: JobKind;
  /** The tenant whose data the job works on; empty for data without a tenant. */
  readonly tenant: string;
  /** The namespace on which the job works at present. Absent: it works on others too. */
  readonly namespace?: Namespace;
  /** Whether the job covers only a part of the data, so that it does not count as the last one. */
  readonly isPart?: boolean;
}

/** How far the phase of a job is. */
export interface JobProgress {
  /** What the job does at present. Empty: it has no phases. */
  readonly phase: string;
  readonly done: number;
  /** 0: not known. */
  readonly total: number;
}

/** Long work of a server, running or ended. */
export interface Job extends JobSubject, JobProgress {
  /** Unique among the jobs of this server. */
  readonly id: string;
  readonly startMs: number;
  /** Absent: the job runs. */
  readonly endMs?: number;
  /** Why the job failed. */
  readonly error?: unknown;
  /** Whether `Jobs.cancel` can end the job. */
  readonly canCancel: boolean;
}

/** A job that its work reports to. */
export interface RunningJob {
  report(progress: Partial<JobProgress & Pick<JobSubject, "namespace" | "isPart">>): void;
  /** Ends the job. Later calls do nothing. @param error why it failed; absent: it is done */
  end(error?: unknown): void;
}

/** Number of ended jobs that are kept. */
const endedMax = 100;

/** Loads of indexes that took less time are not kept: they are many, and nobody waited for long. */
const shortLoadMs = 1000;

/** The long work of a server: what is running, and what has ended lately. In RAM only. */
export class Jobs {
  readonly #running = new Map<string, Job>();
  /** The oldest first. */
  #ended: readonly Job[] = [];
  /** The last end without an error of each kind, by kind and tenant. */
  readonly #lastDoneMs = new Map<JobKind, Map<string, number>>();
  readonly #cancels = new Map<string, (error: VademecumError) => void>();
  #begun = 0;

  constructor(private readonly clock: Clock) {}

  /**
   * Begins a job. Requires: the caller ends it.
   *
   * @param cancel makes the work end with an error. Absent: the job cannot be cancelled
   */
  begin(what: JobSubject, cancel?: (error: VademecumError) => void): RunningJob {
    const id = String(++this.#begun);
    const startMs = this.clock.nowMs();
    const canCancel = cancel !== undefined;
    this.#running.set(id, { id, ...what, phase: "", done: 0, total: 0, startMs, canCancel });
    if (canCancel) this.#cancels.set(id, cancel);
    return {
      report: (progress) => {
        const job = this.#running.get(id);
        if (job !== undefined) this.#running.set(id, { ...job, ...progress });
      },
      end: (error) => {
        const job = this.#running.get(id);
        if (job === undefined) return;
        this.#running.delete(id);
        this.#cancels.delete(id);
        const endMs = this.clock.nowMs();
        if (job.kind === "LOAD_INDEX" && endMs - startMs < shortLoadMs && error === undefined)
          return;
        const ended = { ...job, canCancel: false, endMs, ...(error !== undefined && { error }) };
        this.#ended = [...this.#ended, ended].slice(-endedMax);
        if (error === undefined && job.isPart !== true) this.#noteDone(job, endMs);
      },
    };
  }

  /** Runs work as a job, which ends with the work. */
  async run<T>(what: JobSubject, work: () => Promise<T>): Promise<T> {
    const job = this.begin(what);
    try {
      const result = await work();
      job.end();
      return result;
    } catch (error) {
      job.end(error);
      throw error;
    }
  }

  /** Passes on what a generator yields, as a job that ends with it. */
  async *stream<T>(
    what: JobSubject,
    call: Call,
    work: (job: RunningJob, call: Call) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const { cancellable, cancel } = withCancel(call);
    const job = this.begin(what, cancel);
    let error: unknown = new VademecumError("CANCELLED", "CALL_ENDED", "the caller has left");
    try {
      yield* work(job, cancellable);
      error = undefined;
    } catch (thrown) {
      error = thrown;
      throw thrown;
    } finally {
      job.end(error);
    }
  }

  /**
   * Cancels a job of a tenant: its work ends at its next step with CANCELLED (JOB_CANCELLED).
   * Returns false if there is no such job, it has ended, or it cannot be cancelled.
   */
  cancel(tenant: string, id: string): boolean {
    const cancel = this.#running.get(id)?.tenant === tenant ? this.#cancels.get(id) : undefined;
    cancel?.(
      new VademecumError(
        "CANCELLED",
        "JOB_CANCELLED",
        "an operator has cancelled the job (CancelJob)",
      ),
    );
    return cancel !== undefined;
  }

  /** Returns the jobs of a tenant: those that have ended lately, then the running ones. */
  list(tenant: string): readonly Job[] {
    return [...this.#ended, ...this.#running.values()].filter((job) => job.tenant === tenant);
  }

  /** Returns the running jobs of a tenant, the newest first. */
  running(tenant: string): readonly Job[] {
    return [...this.#running.values()].filter((job) => job.tenant === tenant).reverse();
  }

  /** Returns when a whole job of the kind was last done, in milliseconds; `undefined`: never. */
  lastDoneMs(tenant: string, kind: JobKind): number | undefined {
    return this.#lastDoneMs.get(kind)?.get(tenant);
  }

  /**
   * Returns when a whole job of the kind was last done for the tenant for which this is longest
   * ago, in milliseconds; `undefined`: never for one of the tenants. Requires: there is a tenant.
   */
  oldestDoneMs(kind: JobKind, tenants: Iterable<string>): number | undefined {
    const done = Array.from(tenants, (tenant) => this.lastDoneMs(tenant, kind) ?? 0);
    const oldest = Math.min(...done);
    return oldest === 0 ? undefined : oldest;
  }

  #noteDone({ tenant, kind }: JobSubject, endMs: number): void {
    const ofKind = this.#lastDoneMs.get(kind) ?? new Map<string, number>();
    this.#lastDoneMs.set(kind, ofKind.set(tenant, endMs));
  }
}

/** Returns a call that ends with an error when it is cancelled, and a function that cancels it. */
export function withCancel(call: Call) {
  const controller = new AbortController();
  let cancelled: VademecumError | undefined;
  // A copy would read the properties of the call that are made on first use.
  const cancellable = Object.create(call, {
    throwIfEnded: {
      value: () => {
        if (cancelled !== undefined) throw cancelled;
        call.throwIfEnded();
      },
    },
    signal: { get: () => AbortSignal.any([call.signal, controller.signal]) },
    // A getter of the call reads private fields, which this object does not have.
    principal: { get: () => call.principal },
    allowance: { get: () => call.allowance },
    noteRows: { value: (rows: number) => call.noteRows?.(rows) },
  }) as Call;
  const cancel = (error: VademecumError): void => {
    cancelled = error;
    controller.abort(error);
  };
  return { cancellable, cancel };
}
