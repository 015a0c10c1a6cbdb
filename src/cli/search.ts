import { create, type MessageInitShape, toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import {
  type ExplainResponse,
  ExplainResponseSchema,
  type ExplainSearchResponse,
  ExplainSearchResponseSchema,
  RecallResponseSchema,
  SearchResponseSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import {
  type SearchHit,
  SearchOrder,
  SearchOrderSchema,
  type SearchRequestSchema,
} from "#gen/vademecum/v1/search_pb.js";
import {
  callServer,
  namespaceCommand,
  namespaceOf,
  printReply,
  userIdOf,
} from "./client-command.js";
import { type CommandIo, printLine } from "./command-io.js";
import { addFilterOptions, filterOf } from "./filter-options.js";
import { findMemory } from "./find-memory.js";
import { hitText, summaryText } from "./memory-text.js";
import { decimalNumber, enumOption, wholeNumber } from "./option-values.js";
import { printable } from "./printable.js";

/** Options of `search` and `recall`, named after the fields of a `SearchRequest`. */
interface SearchOptions {
  readonly limit?: number;
  readonly budgetTokens?: number;
  readonly order?: SearchOrder;
  readonly minRelevance?: number;
  readonly gate?: number;
  readonly includeSuperseded?: boolean;
  readonly allAgents?: boolean;
  readonly annotate?: boolean;
  readonly timeZone?: string;
}

const searchExamples = `
Examples:
  $ vademecum search --user ada --agent sommelier "which wine does Ada like?"
  $ vademecum search --user ada --agent sommelier --budget-tokens 500 --min-relevance 0.3 "dinner"
  $ vademecum search --user ada --all-agents "dinner with Grace"
  $ vademecum search --user ada --agent sommelier --tag-all wine --start-time 2026-01-01T00:00:00Z ""

Without a query, every memory that passes the filter matches, newest first.`;

const recallExamples = `
Examples:
  $ vademecum recall --user ada --agent sommelier --budget-tokens 500 "which wine does Ada like?"
  $ vademecum recall --user ada --agent sommelier --annotate "allergies" >> prompt.txt

Prints nothing when there is no hit, and says why on standard error.`;

/** Creates the command `search`, which finds memories and shows their scores. */
export function searchCommand(io: CommandIo): Command {
  const command = withAgentChoice(
    queryCommand(
      "search",
      "Find memories, best first, and summarize what was left out and why.",
      searchExamples,
    ),
  );
  return command.action(async (query: string | undefined) => {
    const request = searchRequest(command, io, query);
    const showsAgent = request.allAgents === true;
    await callServer(command, io, async ({ connection, options, json }) => {
      const weak: SearchHit[] = [];
      for await (const response of connection.memoryProvider.search(request, options)) {
        if (json) {
          const { hits, summary } = response;
          for (const hit of hits) await printResponse(io, { hits: [hit] });
          if (summary !== undefined) await printResponse(io, { summary });
          continue;
        }
        for (const hit of response.hits)
          if (hit.weak) weak.push(hit);
          else await printLine(io.stdout, hitText(hit, showsAgent));
        if (response.summary === undefined) continue;
        if (weak.length > 0) await printLine(io.stdout, "perhaps related:");
        for (const hit of weak) await printLine(io.stdout, hitText(hit, showsAgent));
        await printLine(io.stdout, printable(summaryText(response.summary)));
      }
    });
  });
}

/** Prints one hit or the summary, in a line of protobuf JSON. */
async function printResponse(
  { stdout }: CommandIo,
  response: MessageInitShape<typeof SearchResponseSchema>,
): Promise<void> {
  await printLine(
    stdout,
    toJsonString(SearchResponseSchema, create(SearchResponseSchema, response)),
  );
}

/** Creates the command `recall`, which prints the hits as one text for a prompt. */
export function recallCommand(io: CommandIo): Command {
  const command = withAgentChoice(
    queryCommand(
      "recall",
      "Find memories and print them as one text for a prompt.",
      recallExamples,
    ),
  );
  command.option("--annotate", "Begin each memory with its date and its author.");
  return command.action(async (query: string | undefined) => {
    const search = searchRequest(command, io, query);
    await callServer(command, io, async ({ connection, options, json }) => {
      const response = await connection.memoryProvider.recall({ search }, options);
      if (json) {
        await printLine(io.stdout, toJsonString(RecallResponseSchema, response));
        return;
      }
      // A pipe gets the exact text, because its tokens were counted for the budget.
      if (response.text !== "")
        await printLine(
          io.stdout,
          io.stdout.isTTY === true ? printable(response.text) : response.text,
        );
      const { noHitsReason = "", keywordsOnlyReason = "" } = response.summary ?? {};
      for (const reason of [noHitsReason, keywordsOnlyReason])
        if (reason !== "") await printLine(io.stderr, printable(`note: ${reason}`));
    });
  });
}

const explainExamples = `
Example:
  $ vademecum explain --user ada --agent sommelier "which wine does Ada like?"
  $ vademecum explain --user ada --agent sommelier --memory 4a5f60 "which wine does Ada like?"

Give the options of the search that you want to understand. Without --memory, explains the whole
search: how the query was understood, what the stages left, and the hits with the next best.`;

/** Creates the command `explain`, which explains a search, or one memory in it. */
export function explainCommand(io: CommandIo): Command {
  const command = queryCommand(
    "explain",
    "Explain a search, or why it returns a memory or leaves it out.",
    explainExamples,
  ).option("--memory <id>", "The id of a memory to follow. Default: explain the whole search.");
  return command.action(async (query: string | undefined) => {
    const { memory } = command.opts<{ memory?: string }>();
    const namespace = namespaceOf(command, io);
    const search = searchRequest(command, io, query);
    await callServer(command, io, async (call) => {
      if (memory === undefined) {
        const whole = await call.connection.memoryProvider.explainSearch({ search }, call.options);
        await printReply(io, call, ExplainSearchResponseSchema, whole, searchText(whole));
        return;
      }
      const id = await findMemory(call, namespace, memory);
      const reply = await call.connection.memoryProvider.explain({ search, id }, call.options);
      await printReply(io, call, ExplainResponseSchema, reply, explanationText(reply));
    });
  });
}

/** Returns the lines of an explained search: its reading, its stages, and its memories. */
function searchText({ reading, stages, memories }: ExplainSearchResponse): string {
  const terms = reading?.terms.map(({ term, memories: count }) => `${term} (${count})`) ?? [];
  const dates = reading?.dates.map(({ firstDay, lastDay }) => `${firstDay}..${lastDay}`) ?? [];
  const read = [
    ["keywords", terms],
    ["dates", dates],
    ["authors", reading?.authors ?? []],
  ] as const;
  return [
    ...read.map(([name, found]) => `${name}: ${found.length === 0 ? "none" : found.join(", ")}`),
    stages.map(({ name, left }) => `${name} ${left}`).join(", "),
    ...memories.map(({ memory, stages: own, returned }) => {
      const last = own.at(-1);
      const place = returned ? `${last?.rank}.` : "-";
      const why = last?.droppedReason ? ` (${last.name}: ${last.droppedReason})` : "";
      return `${place} ${memory?.id}: ${oneLine(memory?.content ?? "")}${why}`;
    }),
  ].join("\n");
}

function oneLine(content: string): string {
  return content.slice(0, 80).replaceAll(/\s+/g, " ");
}

function explanationText({ returned, stages, respellings }: ExplainResponse): string {
  const lines = stages.map(({ name, score, rank, droppedReason }) => {
    const place = rank === undefined ? "" : `, rank ${rank}`;
    const dropped = droppedReason === "" ? "" : `: ${droppedReason}`;
    return `  ${name}: ${Number(score.toFixed(3))}${place}${dropped}`;
  });
  const read = respellings.map(({ word, terms }) => `  '${word}' is read as ${terms.join(", ")}`);
  return [returned ? "Returned." : "Not returned.", ...lines, ...read].join("\n");
}

function withAgentChoice(command: Command): Command {
  return command.option(
    "--all-agents",
    "Search all agents of the user that you may read, in place of --agent.",
  );
}

/** Creates a command with a query and the options of a search. */
function queryCommand(name: string, description: string, examples: string): Command {
  const command = namespaceCommand(name, description)
    .argument(
      "[query]",
      "The question or words to find. Missing or empty: every memory matches, newest first.",
    )
    .option(
      "--limit <count>",
      "Maximum hits, 1 to 1000. Default 5; with --budget-tokens, as many as fit.",
      wholeNumber,
    )
    .option(
      "--budget-tokens <count>",
      "Maximum tokens of all hits together, 1 to 1000000. Default: no budget.",
      wholeNumber,
    )
    .addOption(
      enumOption("--order <order>", "Order of the hits. Default relevance.", SearchOrderSchema),
    )
    .option(
      "--min-relevance <number>",
      "Only memories of at least this relevance, 0 to 1. Default: 0.02 for the bundled model and " +
        "for calibrated models, else 0; and at most three weak hits.",
      decimalNumber,
    )
    .option(
      "--gate <number>",
      "No hits unless a match has this relevance, 0 to 1, or has every keyword of the query. " +
        "Default: no gate.",
      decimalNumber,
    )
    .option("--include-superseded", "Include superseded memories.")
    .option(
      "--time-zone <zone>",
      "The time zone in which the days of the query count, such as Europe/Madrid or +05:30. " +
        "Default: the server's.",
    )
    .addHelpText("after", examples);
  return addFilterOptions(command);
}

/** Returns the search that a command line of `queryCommand` asks for. */
function searchRequest(
  command: Command,
  io: CommandIo,
  query: string | undefined,
): MessageInitShape<typeof SearchRequestSchema> {
  const {
    limit,
    budgetTokens,
    order = SearchOrder.UNSPECIFIED,
    minRelevance,
    gate,
    includeSuperseded = false,
    annotate = false,
    timeZone = "",
    allAgents = false,
  } = command.opts<SearchOptions>();
  const options = { limit, budgetTokens, order, minRelevance, gate };
  const fields = { ...options, includeSuperseded, annotate, timeZone };
  return {
    ...fields,
    ...(allAgents
      ? { userId: userIdOf(command, io), allAgents }
      : { namespace: namespaceOf(command, io) }),
    query: query ?? "",
    filter: filterOf(command),
  };
}
