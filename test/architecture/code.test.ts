import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import {
  code,
  lineCount,
  type Node,
  nodesOf,
  placesOf,
  read,
  sources,
  tracked,
} from "./source-files.js";

const fileLinesMax = 400;
const functionLinesMax = 70;
const commentColumnsMax = 100;
const sourceColumnsMax = 120;

describe("the code", () => {
  it(`no file of code has more than ${fileLinesMax} lines`, () => {
    const long = code
      .map((file) => [file, lineCount(read(file))] as const)
      .filter(([, lines]) => lines > fileLinesMax);
    expect(long).toEqual([]);
  });

  it(`no function outside test/ has more than ${functionLinesMax} lines`, () => {
    const long = code
      .filter((file) => !file.startsWith("test/"))
      .flatMap((file) => {
        const text = read(file);
        return nodesOf(file)
          .filter((node) =>
            /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type),
          )
          .map(
            (node) =>
              [
                `${file}:${lineCount(text.slice(0, node.start + 1))}`,
                lineCount(text.slice(node.start, node.end)),
              ] as const,
          )
          .filter(([, lines]) => lines > functionLinesMax);
      });
    expect(long).toEqual([]);
  });

  it("the code has no type `any`", () => {
    const places = code.flatMap((file) =>
      nodesOf(file)
        .filter((node) => node.type === "TSAnyKeyword")
        .map((node) => `${file} at ${node.start}`),
    );
    expect(places).toEqual([]);
  });

  // V8 puts such a function among its old objects, with everything that the function refers to.
  it("no code of src/ assigns a function to a property in the expression that creates it", () => {
    const places = sources.flatMap((file) =>
      nodesOf(file)
        .filter((node) => node.type === "AssignmentExpression")
        .map((node) => node as Node & { readonly left: Node; readonly right: Node })
        .filter(({ left }) => left.type === "MemberExpression")
        .filter(({ right }) => /^(?:Arrow)?FunctionExpression$/.test(right.type))
        .map(({ start }) => `${file}:${lineCount(read(file).slice(0, start + 1))}`),
    );
    expect(places).toEqual([]);
  });

  it("the code disables no check of a tool, and contains no to-do mark", () => {
    const marks = ["@ts-", "biome-", "oxlint-", "eslint-"].map(
      (tool) => `${tool}(?:ignore|expect-error|nocheck|disable)`,
    );
    const pattern = new RegExp([...marks, `\\b(?:TO${"DO"}|FIX${"ME"}|XX${"X"})\\b`].join("|"));
    expect(placesOf(pattern, code)).toEqual([]);
  });

  it("the code outside bench/ and scripts/ does not use the console", () => {
    const places = code
      .filter((file) => !/^(?:bench|scripts)\//.test(file))
      .filter((file) =>
        nodesOf(file).some(({ type, ...node }) => {
          const { object } = node as { readonly object?: { readonly name?: string } };
          return type === "MemberExpression" && object?.name === "console";
        }),
      );
    expect(places).toEqual([]);
  });

  it(`no comment has more than ${commentColumnsMax} columns`, () => {
    const files = [...code, ...tracked.filter((file) => /^proto\/.*\.proto$/.test(file))];
    // Indented lines, as in drawings, and lines that begin with a URL may be longer.
    const pattern = new RegExp(
      `^(?=.{${commentColumnsMax + 1}})\\s*(?:// |/?\\*\\*? )(?!\\s|https?:)`,
    );
    expect(placesOf(pattern, files)).toEqual([]);
  });

  it(`no line of src has more than ${sourceColumnsMax} columns`, () => {
    expect(placesOf(new RegExp(`.{${sourceColumnsMax + 1}}`), sources)).toEqual([]);
  });

  it("file names are in kebab-case, and contain no vague word", () => {
    const vagueNames = /^(?:utils?|helpers?|common|manager|misc|shared)$/;
    const wrong = code.filter((file) => {
      const words = file.split(/[/.-]/);
      return (
        !/^[a-z\d]+(?:-[a-z\d]+)*(?:\.[a-z]+)+$/.test(basename(file)) ||
        words.some((word) => vagueNames.test(word))
      );
    });
    expect(wrong).toEqual([]);
  });
});
