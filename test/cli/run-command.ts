import { Readable, Writable } from "node:stream";
import { runCommandLine } from "../../src/cli/program.js";

/** What a command did. */
export interface CommandRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command is run with, beside its words. */
export interface CommandSurroundings {
  readonly stdin?: Uint8Array | string;
  /** Whether a person sits at the terminal. Default false. */
  readonly isTTY?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs one command of the command line in this process, as a shell would. */
export async function runCommand(
  args: readonly string[],
  { stdin = "", isTTY = false, environment = {} }: CommandSurroundings = {},
): Promise<CommandRun> {
  const stdout = createCollector(isTTY);
  const stderr = createCollector(isTTY);
  const exitCode = await runCommandLine(args, {
    stdin: Object.assign(Readable.from([Buffer.from(stdin)]), { isTTY }),
    stdout,
    stderr,
    environment,
    invocation: "vademecum",
  });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

function createCollector(isTTY: boolean): Writable & { readonly isTTY: boolean; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return Object.assign(stream, { isTTY, text: () => Buffer.concat(chunks).toString() });
}
