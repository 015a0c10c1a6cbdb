import { Command } from "commander";
import { variablesOf } from "../config/config.js";
import { embedderSettings } from "../config/embedder-settings.js";
import { countPhrase } from "../core/text/count-phrase.js";
import { type Colours, coloursOf } from "./colours.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import type { TestOutcome } from "./memory-tests/run-test-file.js";
import { printable, printableLine } from "./printable.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

/** Maximum characters of a hit's text in the report of a failed test. */
const shownLength = 72;

const examples = `
Examples:
  $ vademecum test memory-test.yaml
  $ vademecum test --embedder minilm tests/*.yaml
  $ vademecum test --schema > vademecum-test.schema.json

Needs no server: the memories are in RAM, and the search is the one of \`serve\`. The exit code is 0 if
all tests pass, 1 if a test fails, and 2 if a file is faulty. docs/guides/test-your-memory.md has an
example.`;

/** Creates the command `test`, which checks what searches find in the memories of a file. */
export function testCommand(io: CommandIo): Command {
  const command = new Command("test")
    .description("Test what searches find, with memories, queries and expected hits from a file.")
    .argument("[files...]", "The test files, as YAML or JSON.")
    .option("--schema", "Print the JSON Schema of test files.")
    .option("--json", "Print the outcome of each test as one line of JSON.")
    .addHelpText("after", examples);
  addSettings(command, embedderSettings);
  return command.action(async (paths: readonly string[]) => {
    const { schema = false, json = false } = command.opts<{ schema?: boolean; json?: boolean }>();
    if (schema) {
      const { testFileSchema } = await import("./memory-tests/test-file-schema.js");
      await printLine(io.stdout, JSON.stringify(testFileSchema, null, 2));
      return;
    }
    if (paths.length === 0) throw new CommandFailure("files: give at least one test file", 2);
    await runFiles(paths, command, json, io);
  });
}

async function runFiles(
  paths: readonly string[],
  command: Command,
  json: boolean,
  io: CommandIo,
): Promise<void> {
  // Dynamic imports, because other commands need neither the parser of YAML nor the engine.
  const { readTestFile } = await import("./memory-tests/test-file.js");
  const { runTestFile } = await import("./memory-tests/run-test-file.js");
  const files = [];
  for (const path of paths) files.push(await readTestFile(path));
  const flags = readFlagTexts(command, embedderSettings);
  const environment = variablesOf(embedderSettings, io.environment);
  let passed = 0;
  let failed = 0;
  for (const file of files) {
    const { path, memories } = file;
    if (!json) await printLine(io.stdout, printable(`${path} (${memoryCount(memories.length)})`));
    for (const outcome of await runTestFile(file, flags, environment)) {
      if (outcome.failures.length === 0) passed++;
      else failed++;
      await printLine(
        io.stdout,
        json ? JSON.stringify({ file: path, ...outcome }) : outcomeText(outcome, coloursOf(io)),
      );
    }
  }
  if (!json) await printLine(io.stdout, `${passed} of ${passed + failed} tests passed.`);
  if (failed > 0) throw new CommandFailure(`${countPhrase(failed, "test", "tests")} failed`, 1);
}

function memoryCount(count: number): string {
  return countPhrase(count, "memory", "memories");
}

function outcomeText(outcome: TestOutcome, colours: Colours): string {
  const { name, query, hits, tokens, failures } = outcome;
  const size = `${countPhrase(hits.length, "hit", "hits")}, ${countPhrase(tokens, "token", "tokens")}`;
  if (failures.length === 0)
    return `  ${colours.paint("green", "ok")}    ${printableLine(name)} (${size})`;
  const lines = [
    `  ${colours.paint("red", "FAIL")}  ${printableLine(name)} (${size})`,
    `        query: ${printableLine(query)}`,
    ...failures.map((failure) => `        ${printableLine(failure)}`),
    ...hits.map(
      ({ id, content, relevance, weak }, index) =>
        `        ${index + 1}. ${printableLine(id)} (relevance ${Number(relevance.toFixed(2))}` +
        `${weak ? ", weak" : ""}): ${shortened(content)}`,
    ),
  ];
  return lines.join("\n");
}

function shortened(content: string): string {
  const [line = ""] = content.split("\n");
  const isWhole = line.length <= shownLength && line === content;
  return printableLine(isWhole ? line : `${line.slice(0, shownLength)}…`);
}
