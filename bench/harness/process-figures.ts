import { readFileSync, writeFileSync } from "node:fs";

/**
 * The length of a tick in /proc, in microseconds. USER_HZ is 100 on every Linux that Node runs on.
 */
const tickMicros = 10_000;

/**
 * Returns the CPU time that a process has used so far, over all threads, in microseconds. `NaN`
 * without /proc.
 */
export function cpuMicrosOf(pid: number | undefined): number {
  if (process.platform !== "linux") return Number.NaN;
  // The second field is the program's name in parentheses, which can contain spaces, so fields
  // count from behind it. `utime` and `stime` are fields 14 and 15 (proc_pid_stat(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMicros;
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
