import { Readable, Writable } from "node:stream";
import { runCommandLine } from "../../src/cli/program.js";

/** The exit code and the outputs of a command. */
export interface CommandRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stdoutBytes: Buffer;
  readonly stderr: string;
}

/** The input and the environment of a command. */
export interface CommandSurroundings {
  readonly stdin?: Uint8Array | string;
  /** Whether the streams are a terminal. Default false. */
  readonly isTTY?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs one command in this process. */
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
  return { exitCode, stdout: stdout.text(), stdoutBytes: stdout.bytes(), stderr: stderr.text() };
}

interface Collector extends Writable {
  readonly isTTY: boolean;
  bytes(): Buffer;
  text(): string;
}

function createCollector(isTTY: boolean): Collector {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const bytes = () => Buffer.concat(chunks);
  return Object.assign(stream, { isTTY, bytes, text: () => bytes().toString() });
}
