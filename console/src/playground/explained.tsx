import type { JSX } from "preact";
import type {
  ExplainedMemory,
  ExplainSearchResponse,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { OmissionReason } from "#gen/vademecum/v1/search_pb.js";
import { type Column, Table } from "../parts/table.js";
import { hrefOf } from "../router.js";
import { Text } from "../text.js";
import { activeStages, finalScore, stageCell } from "./stage-cells.js";

const omissionNames: Readonly<Record<OmissionReason, string>> = {
  [OmissionReason.UNSPECIFIED]: "",
  [OmissionReason.OVER_BUDGET]: "over budget",
  [OmissionReason.NEAR_COPY]: "near copy of a hit",
};

/** Each memory with what the stages did to its score, and why it is there or not. */
export function Explained({
  explained,
}: {
  readonly explained: ExplainSearchResponse;
}): JSX.Element {
  const { memories, memoriesLeftOut } = explained;
  const hits = memories.filter(({ returned }) => returned);
  const columns: readonly Column<ExplainedMemory>[] = [
    {
      head: "#",
      kind: "number",
      cell: (memory) => (memory.returned ? hits.indexOf(memory) + 1 : ""),
    },
    { head: "memory", kind: "wide", cell: (memory) => <MemoryLink explained={memory} /> },
    ...activeStages(memories).map(
      (name): Column<ExplainedMemory> => ({
        head: name.replaceAll("_", " "),
        kind: "number",
        cell: (memory) => stageCell(memory, name),
      }),
    ),
    { head: "score", kind: "number", cell: (memory) => finalScore(memory)?.toFixed(3) ?? "" },
    { head: "tokens", kind: "number", cell: ({ tokens }) => tokens },
    { head: "outcome", cell: (memory) => <Text value={outcomeOf(memory)} /> },
  ];
  return (
    <div class="explained">
      <Table
        label="Explained memories"
        columns={columns}
        items={memories}
        keyOf={({ memory }) => memory?.id ?? ""}
      />
      {memoriesLeftOut > 0 && <p class="faint">{memoriesLeftOut} more are not shown.</p>}
    </div>
  );
}

/** The text of an explained memory, which leads to it. */
export function MemoryLink({
  explained: { memory, returned },
}: {
  readonly explained: ExplainedMemory;
}): JSX.Element {
  const { userId = "", agentId = "" } = memory?.namespace ?? {};
  return (
    <a
      class={returned ? "plain" : "plain faint"}
      href={hrefOf(["u", userId, "a", agentId, "m", memory?.id ?? ""])}
    >
      <Text value={memory?.content ?? ""} />
    </a>
  );
}

/** Why a memory is in the result, or is not. */
export function outcomeOf({ returned, omission, stages }: ExplainedMemory): string {
  if (returned) return "returned";
  const dropped = stages.find(({ droppedReason }) => droppedReason !== "")?.droppedReason;
  return omissionNames[omission] || dropped || "a further match";
}
