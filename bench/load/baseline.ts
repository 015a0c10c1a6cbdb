import type { BaselineReply } from "./call-stream.js";
import { type ChildProgram, startChildProgram } from "./child-program.js";

/** The program with baseline handlers. It takes their replies, and answers with its port. */
export type BaselineProgram = ChildProgram<readonly BaselineReply[], number>;

/** Starts the program with baseline handlers. `nodeFlags`: flags of Node, such as `--cpu-prof`. */
export function startBaseline(nodeFlags: readonly string[] = []): BaselineProgram {
  return startChildProgram("baseline-server", nodeFlags);
}
