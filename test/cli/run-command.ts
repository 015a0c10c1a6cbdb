import { Readable, Writable } from "node:stream";
import { runCommandLine } from "../../src/cli/program.js";

/** The exit code and the outputs of a command. */
export interface CommandRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The input and the environment of a command. */
export interface CommandSurroundings {
  readonly stdin?: Uint8Array | string;
  /** Whether the streams are a terminal. Default false. */
  readonly isTTY?: boolean;
  /** The width of the terminal. Default: not known. */
  readonly columns?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** How the bytes of standard output become `stdout`. Default UTF-8. */
  readonly stdoutEncoding?: BufferEncoding;
}

/** Runs one command in this process. */
export async function runCommand(
  args: readonly string[],
  {
    stdin = "",
    isTTY = false,
    columns,
    environment = {},
    stdoutEncoding,
  }: CommandSurroundings = {},
): Promise<CommandRun> {
  const stdout = createCollector(isTTY, stdoutEncoding, columns);
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

function createCollector(
  isTTY: boolean,
  encoding?: BufferEncoding,
  columns?: number,
): Writable & { readonly isTTY: boolean; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return Object.assign(stream, {
    isTTY,
    ...(columns !== undefined && { columns }),
    text: () => Buffer.concat(chunks).toString(encoding),
  });
}
