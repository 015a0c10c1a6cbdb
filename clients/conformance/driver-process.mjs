import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const answerTimeoutMs = 60_000;

/**
 * A process that runs a driver program, which makes calls through the client of one language. The
 * driver reads JSON commands, one a line, and answers each command with a line of JSON.
 */
export class DriverProcess {
  #waiting = new Map();
  #nextId = 1;
  #process;

  constructor([command, ...args], options) {
    this.#process = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], ...options });
    this.#process.on("error", (error) => this.#failAll(error));
    this.#process.on("exit", (code, signal) =>
      this.#failAll(new Error(`the driver ended (${signal ?? `exit code ${code}`})`)),
    );
    // Ignores failed writes to a driver that has ended: the event `exit` rejects its commands.
    this.#process.stdin.on("error", () => {});
    const kill = () => this.#process.kill("SIGKILL");
    process.once("exit", kill);
    this.#process.once("exit", () => process.off("exit", kill));
    createInterface({ input: this.#process.stdout }).on("line", (line) => {
      const { id, ...answer } = JSON.parse(line);
      this.#waiting.get(id)?.resolve(answer);
      this.#waiting.delete(id);
    });
  }

  /** Sends a command and resolves with the answer: `response` or `error`. */
  async send(command) {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null)
      throw new Error("the driver has ended");
    const id = this.#nextId++;
    const { promise, resolve, reject } = deferred();
    const timer = setTimeout(
      () => reject(new Error(`no answer from the driver after ${answerTimeoutMs / 1000} s`)),
      answerTimeoutMs,
    );
    this.#waiting.set(id, { resolve, reject });
    this.#process.stdin.write(`${JSON.stringify({ id, ...command })}\n`);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes the driver's input, and waits until the driver has ended. */
  async stop() {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, "exit");
    this.#process.stdin.end();
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), 5_000);
    await exited;
    clearTimeout(timer);
  }

  #failAll(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function deferred() {
  let resolve;
  let reject;
  const promise = new Promise((...settlers) => {
    [resolve, reject] = settlers;
  });
  return { promise, resolve, reject };
}
