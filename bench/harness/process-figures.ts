import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/**
 * The length of a tick in /proc, in microseconds. USER_HZ is 100 on every Linux that Node runs on.
 */
const tickMicros = 10_000;

/**
 * Returns the CPU time that a process has used so far, over all threads, in microseconds. `NaN`
 * without /proc.
 */
export function cpuMicrosOf(pid: number | undefined): number {
  return process.platform === "linux" ? timesOf(String(pid)).ownMicros : Number.NaN;
}

/** Returns the CPU time of a process and of all of its children so far. `NaN` without /proc. */
export function familyCpuMicros(pid: number): number {
  if (process.platform !== "linux" || Number.isNaN(pid)) return Number.NaN;
  const { ownMicros, endedMicros } = timesOf(String(pid));
  let micros = ownMicros + endedMicros;
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const times = timesIfRunning(name);
    if (times?.parent === pid) micros += times.ownMicros;
  }
  return micros;
}

/** CPU times of a process. */
interface ProcessTimes {
  /** The id of its parent. */
  readonly parent: number;
  readonly ownMicros: number;
  /** The time of its children that have ended. */
  readonly endedMicros: number;
}

function timesIfRunning(pid: string): ProcessTimes | undefined {
  try {
    return timesOf(pid);
  } catch {
    return undefined;
  }
}

function timesOf(pid: string): ProcessTimes {
  // The second field is the program's name in parentheses. The name can contain spaces, so the
  // fields after it are counted from its end. `ppid` is field 4 and `utime` to `cstime` are fields
  // 14 to 17 (proc_pid_stat(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .map(Number);
  const [parent = 0] = fields.slice(1);
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11);
  return {
    parent,
    ownMicros: (utime + stime) * tickMicros,
    endedMicros: (cutime + cstime) * tickMicros,
  };
}

/** Returns the resident memory of a process, in bytes. `NaN` without /proc. */
export function residentBytesOf(pid: number | undefined): number {
  return statusBytesOf(pid, "VmRSS");
}

/** Returns the peak of the resident memory of a process, in bytes. `NaN` without /proc. */
export function peakResidentBytesOf(pid: number | undefined): number {
  return statusBytesOf(pid, "VmHWM");
}

function statusBytesOf(pid: number | undefined, field: "VmRSS" | "VmHWM"): number {
  if (process.platform !== "linux") return Number.NaN;
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kibibytes] = new RegExp(`^${field}:\\s*(\\d+) kB$`, "m").exec(status) ?? [];
  return Number(kibibytes) * 1024;
}

/**
 * Forgets the peak of the resident memory of a process so far. Does nothing without /proc. See
 * `clear_refs` in proc(5): 5 resets VmHWM.
 */
export function resetPeakOf(pid: number | undefined): void {
  if (process.platform === "linux") writeFileSync(`/proc/${pid}/clear_refs`, "5");
}
