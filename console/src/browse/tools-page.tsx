import type { JSX } from "preact";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import type { MemoryAccess, ToolManifest } from "#gen/vademecum/v1/tool_pb.js";
import { usePaged } from "../pages/paged.js";
import { Empty } from "../parts/notes.js";
import { type Column, PagedTable } from "../parts/table.js";
import { tools } from "../rpc.js";
import { Text } from "../text.js";
import { typeNames } from "./memory-filter.js";

const types = [
  MemoryType.EPISODIC,
  MemoryType.SEMANTIC,
  MemoryType.WORKING,
  MemoryType.SCRATCH_PAGE,
  MemoryType.CONVERSATION,
] as const;

const columns: readonly Column<ToolManifest>[] = [
  {
    head: "tool",
    cell: ({ toolId, version }) => (
      <>
        <Text value={toolId} /> <span class="faint">{<Text value={version} />}</span>
      </>
    ),
  },
  ...types.map((type) => ({
    head: typeNames[type],
    cell: ({ memoryAccess }: ToolManifest) => (
      <Access access={memoryAccess.find(({ memoryType }) => memoryType === type)} />
    ),
  })),
];

/** What a tool may do with memories of one type. */
function Access({ access }: { readonly access: MemoryAccess | undefined }): JSX.Element {
  if (access === undefined || !(access.enabled || access.write))
    return <span class="faint">–</span>;
  const { enabled, write, kinds, tags, maxQueries, maxBudgetTokens } = access;
  const limits = [
    kinds.length > 0 && `kinds ${kinds.join(", ")}`,
    tags.length > 0 && `tags ${tags.join(", ")}`,
    maxQueries !== undefined && `${maxQueries} queries`,
    maxBudgetTokens !== undefined && `${maxBudgetTokens} tokens`,
  ].filter((limit) => limit !== false);
  return (
    <>
      {[enabled && "read", write && "write"].filter(Boolean).join(", ")}
      {limits.length > 0 && (
        <p class="faint">
          <Text value={limits.join("; ")} />
        </p>
      )}
    </>
  );
}

/** The manifests of all tools: which types of memories each may read and write. */
export function ToolsPage(): JSX.Element {
  const list = usePaged(async (pageToken, signal) => {
    const page = await tools.listTools({ pageToken, limit: 200 }, { signal });
    return { items: page.manifests, nextPageToken: page.nextPageToken };
  }, []);
  return (
    <section class="page" aria-label="Tools">
      <h1>Tools</h1>
      <PagedTable
        label="Tools"
        columns={columns}
        list={list}
        keyOf={({ toolId, version }) => `${toolId} ${version}`}
        empty={
          <Empty title="No tools">
            <p>An operator registers the manifest of a tool with ToolService.RegisterTool.</p>
          </Empty>
        }
      />
    </section>
  );
}
