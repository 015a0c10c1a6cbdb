// Runs a list of checks on a clean clone: `node .ci/steps.mjs run|full|check`.
//
// Two lanes run side by side, each on about one core. A step that fails does not keep others from
// running. Prints the output of each step as one block once it has ended, and writes the ledger
// `.ci/ledger.json`: the seconds of each step, its CPU seconds, its budget, and its slow test
// files. A step over its budget is named, and does not fail: times depend on the machine.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { baseCommit } from "../scripts/base-commit.mjs";
import { lists } from "./lists.mjs";

/**
 * @typedef {import("./lists.mjs").Step} Step
 * @typedef {{ file: string, seconds: number }} SlowFile
 * @typedef {object} Ended
 * @property {boolean} passed
 * @property {number} seconds
 * @property {number} cpuSeconds
 * @property {string} output
 * @property {SlowFile[]} files
 * @typedef {Step & Ended} Outcome
 */

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const list = lists[process.argv[2] ?? ""];
if (list === undefined) throw new Error(`the lists are ${Object.keys(lists).join(", ")}`);

const scratch = mkdtempSync(join(tmpdir(), "vademecum-checks-"));
const began = performance.now();
/** @type {Outcome[]} */
const outcomes = [];
try {
  const changed = changedPaths();
  for (const step of list.first) await runStep(step, changed);
  if (outcomes.every(({ passed }) => passed)) {
    await runLane(list.alone, changed);
    await Promise.all(list.lanes.map((lane) => runLane(lane, changed)));
  }
  report();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/**
 * @param {readonly Step[]} lane
 * @param {readonly string[] | undefined} changed
 */
async function runLane(lane, changed) {
  for (const step of lane) await runStep(step, changed);
}

/**
 * Runs a step, unless no path that it depends on has changed.
 * @param {Step} step
 * @param {readonly string[] | undefined} changed `undefined`: everything may have changed.
 */
async function runStep(step, changed) {
  const { name, command, env = {}, paths } = step;
  const isDue = (/** @type {string} */ path) => paths?.some((prefix) => path.startsWith(prefix));
  if (paths !== undefined && changed !== undefined && !changed.some(isDue)) {
    process.stdout.write(`\n== ${name}: skipped, nothing that it depends on has changed\n`);
    return;
  }
  const filesPath = join(scratch, `${name.replaceAll(/\W/g, "-")}.jsonl`);
  const startMs = performance.now();
  const { code, output } = await outputOf(command, { ...env, VADEMECUM_TEST_LEDGER: filesPath });
  const cpuSeconds = Number(
    /^cpu ([\d.]+) ([\d.]+)$/m.exec(output.slice(-200))?.slice(1).reduce(sum, "0"),
  );
  const seconds = (performance.now() - startMs) / 1000;
  const files = existsSync(filesPath)
    ? readFileSync(filesPath, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
  outcomes.push({ ...step, passed: code === 0, seconds, cpuSeconds, output, files });
  const outcome = code === 0 ? "passed" : "FAILED";
  process.stdout.write(
    `\n== ${name}: ${command}\n${output}== ${name}: ${outcome} in ${seconds.toFixed(0)} s\n`,
  );
}

/**
 * @param {string} total
 * @param {string} value
 */
function sum(total, value) {
  return String(Number(total) + Number(value));
}

/**
 * Runs a shell command. Its last line of output has its CPU seconds, as user and system.
 * @param {string} command
 * @param {Record<string, string>} env
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function outputOf(command, env) {
  const timed = `TIMEFORMAT='cpu %U %S'; time { ${command}; }`;
  const child = spawn("bash", ["-c", timed], {
    cwd: projectFolder,
    stdio: ["ignore", "pipe", "pipe"],
    // Stubs and clients of every language are checked: a missing toolchain is an error.
    env: { ...process.env, CI: "true", CI_REQUIRE_TOOLCHAINS: "1", ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (piece) => {
      output += piece;
    });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })));
}

/**
 * Returns the paths that differ from the base, or `undefined` if there is none.
 * @returns {string[] | undefined}
 */
function changedPaths() {
  const base = baseCommit();
  if (base === undefined) return undefined;
  return execFileSync("git", ["diff", "--name-only", base], {
    cwd: projectFolder,
    encoding: "utf8",
  }).split("\n");
}

function report() {
  const ledger = outcomes.map(({ name, passed, seconds, cpuSeconds, budgetSeconds, files }) => ({
    ...{
      name,
      passed,
      seconds: Math.round(seconds),
      cpuSeconds: Math.round(cpuSeconds),
      budgetSeconds,
    },
    files,
  }));
  writeFileSync(join(projectFolder, ".ci", "ledger.json"), `${JSON.stringify(ledger, null, 2)}\n`);
  process.stdout.write("\nSeconds, CPU seconds, budget:\n");
  for (const { name, seconds, cpuSeconds, budgetSeconds, files } of ledger) {
    const over = seconds > budgetSeconds ? "  over its budget" : "";
    process.stdout.write(
      `${[seconds, cpuSeconds, budgetSeconds].map((n) => `${n}`.padStart(6)).join("")}  ${name}${over}\n`,
    );
    for (const file of files)
      process.stdout.write(`${"".padStart(22)}${file.seconds} s ${file.file}\n`);
  }
  const failed = outcomes.filter(({ passed }) => !passed);
  for (const { name, output } of failed) process.stdout.write(`\n${name}:\n${reasonOf(output)}\n`);
  const total = ((performance.now() - began) / 1000).toFixed(0);
  process.stdout.write(
    failed.length === 0
      ? `\nAll checks passed in ${total} s.\n`
      : `\nFAILED in ${total} s: ${failed.map(({ name }) => name).join(", ")}\n`,
  );
  process.stdout.write(`${closingLine()}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/**
 * Returns what the test runner names as failed, or else the end of the output.
 * @param {string} output
 */
function reasonOf(output) {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const named = lines.indexOf("Failed:");
  return (named < 0 ? lines.slice(-6) : lines.slice(named, named + 12))
    .map((line) => line.slice(0, 200))
    .join("\n");
}

/** Returns the counts of all test runs together, as one line that programs can read. */
function closingLine() {
  const counts = [0, 0, 0];
  for (const { output } of outcomes)
    for (const line of output.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm))
      for (const index of counts.keys()) counts[index] += Number(line[index + 1]);
  return `${counts[0]} passed, ${counts[1]} failed, ${counts[2]} skipped`;
}
