import { errorText } from "../core/model/errors.js";
import type {
  AuditEvent,
  AuditLine,
  AuditQuery,
  AuditTrail,
  ListAuditLines,
} from "../core/ports/audit.js";
import type { Call } from "../core/ports/call.js";
import type { Clock } from "../core/ports/clock.js";
import type { Log } from "../core/ports/log.js";
import type { Meter } from "../core/ports/meter.js";
import type { Timer } from "../core/ports/timer.js";
import { type AuditWriter, createAuditWriter } from "./audit-writer.js";
import { newestLines } from "./find-lines.js";
import type { NotedEvent } from "./line-fields.js";

/** An audit trail in the files of a folder. */
export interface AuditTrailHandle extends AuditTrail {
  /**
   * Deletes the key of a user, so that nobody can find out any more which lines are about the user.
   * The lines themselves stay, because a chain without them would not hold. Resolves when the key
   * is gone from the disk. Returns whether there was a key.
   *
   * @throws Error of the system when the file of the key cannot be written
   */
  forget(tenant: string, user: string): Promise<boolean>;
  /**
   * Removes the files of days that are over for longer than allowed. Returns their number. With
   * `dryRun`, only counts them.
   *
   * @throws Error of the system when a file cannot be read or removed
   */
  removeOldFiles(dryRun: boolean): Promise<number>;
  /**
   * Lists lines, also those that were noted just before.
   *
   * @throws Error of the system when a file cannot be read
   */
  readonly list: ListAuditLines;
  /** Writes what is noted, and closes the files. */
  close(): Promise<void>;
}

/** The folder of an audit trail, and what it depends on. */
export interface AuditTrailOptions {
  /** See `auditFolder`. Created if it is absent. */
  readonly folder: string;
  /** How long the file of a day is kept, in milliseconds. */
  readonly keepMs: number;
  readonly clock: Clock;
  readonly timer: Pick<Timer, "after">;
  readonly log: Log;
  readonly meter: Meter;
}

/** Maximum time for which lines wait for a sync that they share. */
const syncMs = 1000;

/** Maximum number of lines that are written at a time: a few milliseconds of work. */
const batchMax = 200;

/** Maximum number of lines that wait. Further lines are lost, for example while the disk hangs. */
const waitingMax = 100_000;

/** A line that waits, and who waits for it. */
interface Waiting {
  readonly event: NotedEvent;
  readonly done?: () => void;
}

/**
 * Opens an audit trail. If its files cannot be opened or written, lines are lost: the trail logs
 * this, counts them in the figure `auditLost`, and tries again with each later write.
 */
export async function openAuditTrail(options: AuditTrailOptions): Promise<AuditTrailHandle> {
  const trail = new Trail(options, createAuditWriter(options));
  await trail.open();
  return trail;
}

class Trail implements AuditTrailHandle {
  readonly #options: AuditTrailOptions;
  readonly #writer: AuditWriter;
  #waiting: Waiting[] = [];
  /** The last of the tasks that use the files, one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #isDraining = false;
  #cancelSync: (() => void) | undefined;
  /** Lines that were lost since the last write. */
  #lost = 0;
  #isFailing = false;

  constructor(options: AuditTrailOptions, writer: AuditWriter) {
    this.#options = options;
    this.#writer = writer;
  }

  open(): Promise<void> {
    return this.#exclusively(() => this.#write([]));
  }

  note(event: AuditEvent): void {
    if (!this.#wait({ event: { ...event, timeMs: this.#options.clock.nowMs() } })) return;
    if (this.#waiting.length >= batchMax) void this.#drain();
    else this.#cancelSync ??= this.#options.timer.after(syncMs, () => void this.#drain());
  }

  noteDurably(event: AuditEvent): Promise<void> {
    return new Promise((done) => {
      const noted = { ...event, timeMs: this.#options.clock.nowMs() };
      if (this.#wait({ event: noted, done })) void this.#drain();
      else done();
    });
  }

  async forget(tenant: string, user: string): Promise<boolean> {
    // Lines that wait would make a key again.
    await this.#drain();
    return this.#exclusively(async () =>
      (await this.#writer.keys()).forget({ tenant, kind: "user", id: user }),
    );
  }

  async list(query: AuditQuery, call: Call): Promise<readonly AuditLine[]> {
    await this.#drain();
    return newestLines(this.#options.folder, query, call);
  }

  removeOldFiles(dryRun: boolean): Promise<number> {
    return this.#exclusively(() => this.#writer.removeOldFiles(dryRun));
  }

  async close(): Promise<void> {
    await this.#drain();
    await this.#exclusively(async () => {
      const end = await this.#writer.close();
      if (end !== undefined) this.#options.log("info", "the audit trail is closed", { ...end });
    });
  }

  #wait(waiting: Waiting): boolean {
    if (this.#waiting.length >= waitingMax) {
      this.#lose(1, new Error(`${waitingMax} lines wait for the disk`));
      return false;
    }
    this.#waiting.push(waiting);
    return true;
  }

  /** Writes all lines that wait. */
  #drain(): Promise<void> {
    // A drain that has not begun takes the later lines too.
    if (this.#isDraining) return this.#last.then(() => undefined);
    this.#isDraining = true;
    return this.#exclusively(async () => {
      this.#isDraining = false;
      this.#cancelSync?.();
      this.#cancelSync = undefined;
      // Lines that come meanwhile wait for their own second, so that load forces no more syncs.
      for (let left = this.#waiting.length; left > 0; left -= batchMax) {
        const batch = this.#waiting.splice(0, Math.min(left, batchMax));
        await this.#write(batch.map(({ event }) => event));
        for (const { done } of batch) done?.();
      }
    });
  }

  async #write(events: readonly NotedEvent[]): Promise<void> {
    try {
      await this.#writer.write(events, this.#lost);
    } catch (error) {
      this.#lose(events.length, error);
      return;
    }
    if (this.#isFailing)
      this.#options.log("info", "the audit trail is written again", { lost: this.#lost });
    this.#isFailing = false;
    this.#lost = 0;
  }

  #lose(lines: number, error: unknown): void {
    this.#lost += lines;
    this.#options.meter("auditLost", lines);
    if (this.#isFailing) return;
    this.#isFailing = true;
    const { folder } = this.#options;
    const message = `cannot write the audit trail; its lines are lost until this works: ${errorText(error)}`;
    this.#options.log("error", message, { folder, error });
  }

  #exclusively<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
