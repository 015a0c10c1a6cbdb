import { type FileHandle, open, rm } from "node:fs/promises";
import type { Clock } from "../core/ports/clock.js";
import type { Log } from "../core/ports/log.js";
import { makeFolder, syncFolder } from "../disk/folders.js";
import { dayOf, daysIn, fileOf, linesIn, readFileEnd } from "./audit-files.js";
import { type ChainEnd, chainStart, readLine, writeLine } from "./chain.js";
import { lineFields, type NotedEvent, scopeOfEvent } from "./line-fields.js";
import { openScopeKeys, type ScopeKeys } from "./scope-keys.js";

/** Writes the lines of an audit trail, one batch after the other. */
export interface AuditWriter {
  /**
   * Writes lines, and syncs them. Opens the files first if they are not open. Lines of a new day
   * begin a new file, and files that are older than allowed are then removed. After an error, the
   * next call goes on after the last synced line.
   *
   * @param lost number of lines that were lost before; noted as a line of its own unless it is 0
   */
  write(events: readonly NotedEvent[], lost: number): Promise<void>;
  /** Opens the keys of users if they are not open. */
  keys(): Promise<ScopeKeys>;
  /** See `AuditTrailHandle.removeOldFiles`. Opens the files first if they are not open. */
  removeOldFiles(dryRun: boolean): Promise<number>;
  /** Closes the files. Returns the last line, if the files were open. */
  close(): Promise<ChainEnd | undefined>;
}

const dayMs = 24 * 3_600_000;

/**
 * Maximum number of keys that calls without success make in a day. Otherwise a caller who invents
 * users would fill the memory of the server.
 */
const keysByFailuresMax = 10_000;

/** Creates a writer for a folder. Options as for `openAuditTrail`. */
export function createAuditWriter(options: {
  readonly folder: string;
  readonly keepMs: number;
  readonly clock: Clock;
  readonly log: Log;
}): AuditWriter {
  return new Writer(options.folder, options.keepMs, options.clock, options.log);
}

class Writer implements AuditWriter {
  readonly #folder: string;
  readonly #keepMs: number;
  readonly #clock: Clock;
  readonly #log: Log;
  #keys: ScopeKeys | undefined;
  #file: FileHandle | undefined;
  /** The day of the open file, or of the newest one. Empty: there is none. */
  #day = "";
  /** The last line that is written and synced. */
  #end = chainStart;
  /** The size of the open file up to this line. */
  #size = 0;
  #keysByFailures = 0;

  constructor(folder: string, keepMs: number, clock: Clock, log: Log) {
    this.#folder = folder;
    this.#keepMs = keepMs;
    this.#clock = clock;
    this.#log = log;
  }

  async write(events: readonly NotedEvent[], lost: number): Promise<void> {
    try {
      await this.#open();
      await this.#noteForeignChange();
      if (lost > 0) await this.#append([{ ...this.#now(), event: "lost", lines: lost }]);
      for (const [day, ofDay] of byDay(events)) {
        if (day > this.#day) await this.#beginDay(day);
        await this.#writeEvents(ofDay);
      }
    } catch (error) {
      await this.#discard();
      throw error;
    }
  }

  async #writeEvents(events: readonly NotedEvent[]): Promise<void> {
    const keys = await this.keys();
    // A line whose key is lost would be about nobody.
    await keys.prepare(
      events.flatMap((event) => {
        const scope = scopeOfEvent(event);
        const mayAdd = (): boolean => event.outcome === "OK" || this.#mayAddKey();
        return scope === undefined ? [] : [{ scope, mayAdd }];
      }),
    );
    await this.#append(events.map((event) => lineFields(event, keys)));
  }

  async keys(): Promise<ScopeKeys> {
    await makeFolder(this.#folder);
    this.#keys ??= await openScopeKeys(this.#folder);
    return this.#keys;
  }

  async removeOldFiles(dryRun: boolean): Promise<number> {
    if (dryRun) return (await this.#oldDays()).length;
    try {
      await this.#open();
      return await this.#removeOldFiles();
    } catch (error) {
      await this.#discard();
      throw error;
    }
  }

  async close(): Promise<ChainEnd | undefined> {
    await this.#file?.close();
    return this.#file && this.#end;
  }

  /** Opens the newest file. Removes the beginning of a line that a crash has left at its end. */
  async #open(): Promise<void> {
    if (this.#file !== undefined) return;
    await this.keys();
    const days = await daysIn(this.#folder);
    let torn = 0;
    this.#size = 0;
    this.#end = chainStart;
    for (const day of days.toReversed()) {
      const { size, tornBytes, line } = await readFileEnd(fileOf(this.#folder, day));
      if (day === days.at(-1)) {
        torn = tornBytes;
        this.#size = size;
      }
      if (line === undefined) continue;
      this.#end = { number: line.number, hash: line.hash };
      break;
    }
    await this.#openFile(days.at(-1) ?? dayOf(this.#clock.nowMs()));
    if (torn > 0) {
      this.#log("warn", "the audit trail ended within a line, as after a crash", { bytes: torn });
      await this.#append([{ ...this.#now(), event: "torn", bytes: torn }]);
    }
    await this.#removeOldFiles();
  }

  /**
   * Notices that another process has changed or removed the open file. The chain goes on after the
   * last line of this process, so that a check finds the difference.
   */
  async #noteForeignChange(): Promise<void> {
    const stats = await this.#file?.stat();
    if (stats === undefined || (stats.nlink > 0 && stats.size === this.#size)) return;
    const path = fileOf(this.#folder, this.#day);
    this.#log("error", "another process has changed or removed a file of the audit trail", {
      path,
    });
    await this.#file?.close();
    this.#file = await open(path, "a", 0o600);
    ({ size: this.#size } = await this.#file.stat());
  }

  async #beginDay(day: string): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
    this.#size = 0;
    this.#keysByFailures = 0;
    await this.#openFile(day);
    await this.#removeOldFiles();
  }

  /** Opens the file of a day for writing after its last whole line, at `#size`. */
  async #openFile(day: string): Promise<void> {
    const file = await open(fileOf(this.#folder, day), "a", 0o600);
    try {
      await file.truncate(this.#size);
      await syncFolder(this.#folder);
    } catch (error) {
      await file.close();
      throw error;
    }
    this.#file = file;
    this.#day = day;
  }

  /** Removes the files of days that are over for longer than allowed, and notes what they held. */
  async #removeOldFiles(): Promise<number> {
    const days = await daysIn(this.#folder);
    const old = await this.#oldDays();
    if (old.length === 0) return 0;
    const { number, hash } = await this.#endBefore(days.slice(old.length));
    await this.#append([{ ...this.#now(), event: "removed", through: number, throughHash: hash }]);
    for (const day of old) await rm(fileOf(this.#folder, day));
    return old.length;
  }

  /** Returns the days whose files are too old. */
  async #oldDays(): Promise<readonly string[]> {
    const oldest = dayOf(this.#clock.nowMs() - this.#keepMs - dayMs);
    return (await daysIn(this.#folder)).filter((day) => day <= oldest && day !== this.#day);
  }

  /** Returns the last line before some days. */
  async #endBefore(days: readonly string[]): Promise<ChainEnd> {
    for (const day of days)
      for await (const { text } of linesIn(fileOf(this.#folder, day))) {
        const first = readLine(text);
        if (first !== undefined) return { number: first.number - 1, hash: first.previous };
      }
    return this.#end;
  }

  async #append(lines: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    let end = this.#end;
    const texts = lines.map((fields) => {
      const line = writeLine(end, fields);
      ({ end } = line);
      return `${line.text}\n`;
    });
    if (texts.length === 0) return;
    const bytes = Buffer.from(texts.join(""));
    await this.#file?.appendFile(bytes);
    await this.#file?.datasync();
    this.#end = end;
    this.#size += bytes.length;
  }

  /** Closes the file after an error. The next write opens it and cuts off what it has too much. */
  async #discard(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.truncate(this.#size).catch(() => undefined);
    await file?.close().catch(() => undefined);
  }

  #mayAddKey(): boolean {
    return this.#keysByFailures++ < keysByFailuresMax;
  }

  #now(): { readonly time: string } {
    return { time: new Date(this.#clock.nowMs()).toISOString() };
  }
}

/** Groups events by their days, in the order in which the days come first. */
function byDay(events: readonly NotedEvent[]): Iterable<readonly [string, readonly NotedEvent[]]> {
  const days = new Map<string, NotedEvent[]>();
  for (const event of events) {
    const day = dayOf(event.timeMs);
    const ofDay = days.get(day);
    if (ofDay === undefined) days.set(day, [event]);
    else ofDay.push(event);
  }
  return days;
}
