import type { Argument, Command, Option } from "commander";
import { type CommandIo, printLine } from "../command-io.js";
import { readContexts } from "../contexts/context-file.js";
import { placeholderOf, valueNames } from "../option-values.js";
import { printableLine } from "../printable.js";

/** What a user could type for the word at the cursor. */
interface Candidates {
  readonly values: readonly Candidate[];
  /** Whether names of files are candidates too. */
  readonly files?: boolean;
}

interface Candidate {
  readonly value: string;
  readonly meaning?: string;
}

/** The line that asks a shell for the names of files. */
const filesLine = ":files";

/** Placeholders of values that are files or folders. */
const filePlaceholders: ReadonlySet<string> = new Set(["file", "folder", "path"]);

/**
 * Prints what could complete the last of the words, for the script of a shell: one candidate a
 * line, with its meaning after a tab.
 *
 * @param words the words after the name of the program, up to the cursor. The last may be empty
 * @param names the names of all commands
 * @param load returns the program with the command of a name
 */
export async function printCandidates(
  io: CommandIo,
  words: readonly string[],
  names: Iterable<string>,
  load: (name: string) => Promise<Command>,
): Promise<void> {
  // Bash makes `=` a word of its own.
  const [before, given = ""] = [words.slice(0, -1).filter((it) => it !== "="), words.at(-1)];
  const current = given === "=" ? "" : given;
  const { values, files } = await candidatesOf(io, before, current, names, load);
  // A shell shows candidates as they are, and would insert them so.
  for (const { value, meaning = "" } of values)
    if (value.startsWith(current) && printableLine(value) === value)
      await printLine(io.stdout, `${value}\t${printableLine(meaning)}`);
  if (files === true) await printLine(io.stdout, filesLine);
}

async function candidatesOf(
  io: CommandIo,
  [name, ...others]: readonly string[],
  current: string,
  names: Iterable<string>,
  load: (name: string) => Promise<Command>,
): Promise<Candidates> {
  if (name === undefined) {
    const all = current.startsWith("-") ? ["--help", "--version"] : [...names];
    return { values: all.map((value) => ({ value })) };
  }
  const found = (await load(name)).commands.find((it) => it.name() === name);
  if (found === undefined) return { values: [] };
  const { command, waiting, positionals, ended } = read(found, others);
  const [, flag = "", text] = /^(--[^=]+)=(.*)$/.exec(current) ?? [];
  const given = text === undefined || ended ? undefined : optionOf(command, flag);
  if (given !== undefined) {
    const { values } = await valuesFor(io, given);
    return { values: values.map(({ value }) => ({ value: `${flag}=${value}` })) };
  }
  if (waiting !== undefined) return valuesFor(io, waiting);
  if (current.startsWith("-") && !ended) return { values: optionsOf(command) };
  if (command.commands.length > 0)
    return { values: command.commands.map((it) => described(it.name(), it.description())) };
  const { registeredArguments: expected } = command;
  const last = expected.at(-1);
  const argument = expected[positionals] ?? (last?.variadic === true ? last : undefined);
  return argument === undefined ? { values: [] } : valuesFor(io, argument);
}

/** What the words before the cursor mean. */
interface Reading {
  readonly command: Command;
  /** The option whose value is at the cursor. */
  readonly waiting: Option | undefined;
  /** The number of arguments before the cursor. */
  readonly positionals: number;
  /** Whether `--` has ended the options. */
  readonly ended: boolean;
}

function read(start: Command, words: readonly string[]): Reading {
  let command = start;
  let waiting: Option | undefined;
  let positionals = 0;
  let ended = false;
  for (const word of words) {
    if (ended) positionals++;
    else if (word === "--") [ended, waiting] = [true, undefined];
    else if (word.startsWith("-")) {
      const option = optionOf(command, word);
      waiting = option?.required === true ? option : undefined;
    } else if (waiting !== undefined) {
      if (!waiting.variadic) waiting = undefined;
    } else {
      const inner = command.commands.find((it) => it.name() === word);
      if (inner === undefined) positionals++;
      else [command, positionals] = [inner, 0];
    }
  }
  return { command, waiting, positionals, ended };
}

function optionOf(command: Command, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => long === flag || short === flag);
}

function optionsOf(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, description }) => described(long ?? "", description));
}

async function valuesFor(io: CommandIo, of: Option | Argument): Promise<Candidates> {
  const names = valueNames(of);
  if (names !== undefined) return { values: names.map((value) => ({ value })) };
  const placeholder = placeholderOf(of);
  if (placeholder === "context") {
    const { byName } = await readContexts(io.environment);
    return { values: [...byName.keys()].map((value) => ({ value })) };
  }
  return { values: [], files: filePlaceholders.has(placeholder) };
}

/** A candidate with the first sentence of its description. */
function described(value: string, description: string): Candidate {
  const [sentence = ""] = description.split(/(?<=\.) |[\n\t]/, 1);
  return { value, meaning: sentence };
}
