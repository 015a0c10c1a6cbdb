import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const projectFolder = dirname(dirname(import.meta.dirname));

/** One instruction of a Dockerfile. */
export interface Instruction {
  readonly name: string;
  /** The text after the name, with continuation lines joined. */
  readonly text: string;
}

/** The instructions from one FROM to the next. */
export interface Stage {
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

/** Reads the stages of a Dockerfile, in order, without comments. */
function parseDockerfile(text: string): Stage[] {
  const lines = text
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("#"))
    .join("\n")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: { name: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = "", rest = ""] = /^\s*([A-Z]+)\s+(.*?)\s*$/.exec(line) ?? [];
    if (name === "FROM")
      stages.push({ name: / AS (\S+)$/.exec(rest)?.[1] ?? "final", instructions: [] });
    stages.at(-1)?.instructions.push({ name, text: rest });
  }
  return stages;
}

/** The words of an instruction in its JSON form, such as `CMD ["serve"]`. */
export function jsonWords(text: string): string[] {
  return JSON.parse(text.slice(text.indexOf("["))) as string[];
}

/** The stages of the project's Dockerfile. */
export const stages: readonly Stage[] = parseDockerfile(
  readFileSync(join(projectFolder, "Dockerfile"), "utf8"),
);

/** The environment that the last stage sets, from instructions such as `ENV A=1 B=2`. */
export function finalEnvironment(): Record<string, string> {
  const pairs = finalInstructions("ENV").flatMap((text) => text.split(/\s+/));
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s, 2) as [string, string]));
}

/** The texts of the instructions of one name in the last stage. */
export function finalInstructions(name: string): string[] {
  const { instructions = [] } = stages.at(-1) ?? {};
  return instructions.filter((instruction) => instruction.name === name).map(({ text }) => text);
}
