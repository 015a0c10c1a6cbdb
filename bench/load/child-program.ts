import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A reply to the parent: a result, or why there is none. */
type Reply<Result> = { readonly result: Result } | { readonly failure: string };

/** A program of this folder that runs as a child and answers questions. Disposing ends it. */
export interface ChildProgram<Question, Result> extends AsyncDisposable {
  readonly pid: number;
  /** Asks one question, and waits for its answer. One question at a time. */
  ask(question: Question): Promise<Result>;
}

/**
 * Starts a program of this folder, such as `baseline-server`.
 *
 * @param nodeFlags flags of Node, such as `--cpu-prof`
 */
export function startChildProgram<Question extends object, Result>(
  name: string,
  nodeFlags: readonly string[] = [],
): ChildProgram<Question, Result> {
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  // The serialization "advanced" can send bytes; the default, JSON, cannot.
  const child = fork(file, [], { serialization: "advanced", execArgv: [...nodeFlags] });
  const exit = once(child, "exit");
  const ended = exit.then(() => [{ failure: "the process ended" }]);
  return {
    pid: child.pid ?? Number.NaN,
    async ask(question) {
      child.send(question);
      const [reply] = (await Promise.race([once(child, "message"), ended])) as [Reply<Result>];
      if ("failure" in reply) throw new Error(`${name}: ${reply.failure}`);
      return reply.result;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await exit;
    },
  };
}

/** Answers the questions of the parent process, in a child that `startChildProgram` started. */
export function serveParent<Question, Result>(
  answer: (question: Question) => Promise<Result>,
): void {
  // Ends by itself, because a killed process writes no profile.
  process.on("disconnect", () => process.exit());
  process.on("message", (question: Question) => {
    const reply: Promise<Reply<Result>> = answer(question).then(
      (result) => ({ result }),
      (error: unknown) => ({ failure: String(error) }),
    );
    void reply.then((value) => process.send?.(value));
  });
}
