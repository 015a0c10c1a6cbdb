import { spawnSync } from "node:child_process";

/**
 * Runs a command with its output on standard error. Throws if it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} [options]
 */
export function runCommand(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    stdio: ["ignore", process.stderr, process.stderr],
    ...options,
  });
  if (status === 0) return;
  const reason = error?.message ?? `exit code ${status}`;
  throw new Error(`${command} ${args.join(" ")} failed (${reason})`);
}

/**
 * Runs a command and returns its standard output. Throws if it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {string}
 */
export function outputOf(command, args, { cwd, env = process.env }) {
  const { stdout, status, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status === 0) return stdout;
  const reason = error?.message ?? `exit code ${status}`;
  throw new Error(`${command} ${args.join(" ")} failed (${reason})`);
}
