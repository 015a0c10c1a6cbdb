import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import type { ConceptFile } from "../exports/okf-folder.js";
import { isObject, tagsUnder, textOf, timestampUnder } from "./export-values.js";
import { type ImportedMemory, type ImportPlan, originEntry, type Skipped } from "./import-plan.js";

/** Maximum size of a kind, in bytes. */
const kindMaxBytes = 256;

/** Plans the import of the concepts that other programs wrote in the Open Knowledge Format. */
export function planOkfImport(files: readonly ConceptFile[]): ImportPlan {
  const memories: ImportedMemory[] = [];
  const skipped: Skipped[] = [];
  const incomplete: Skipped[] = [];
  for (const file of files) {
    if (contentOf(file).trim() === "") skipped.push({ name: file.path, reason: "no text" });
    else memories.push(memoryOf(file, incomplete));
  }
  return { source: "okf", memories, blocks: [], skipped, incomplete };
}

/** Returns the title and the text of a concept. A text that has the title is enough. */
function contentOf({ concept: { frontMatter, body } }: ConceptFile): string {
  const lines = [textOf(frontMatter, "title"), textOf(frontMatter, "description")];
  const missing = lines.filter((line) => line !== undefined && !body.includes(line));
  return [...missing, body].join("\n\n").trim();
}

function memoryOf(file: ConceptFile, incomplete: Skipped[]): ImportedMemory {
  const { path, concept } = file;
  const { frontMatter } = concept;
  const {
    type,
    title: _title,
    description: _description,
    tags: _tags,
    generated,
    ...rest
  } = frontMatter;
  const id = path.replace(/\.md$/, "");
  const onUnread = (reason: string): void => void incomplete.push({ name: path, reason });
  const kind = typeof type === "string" ? type : "";
  const isKind = kind !== "" && Buffer.byteLength(kind) <= kindMaxBytes;
  if (!isKind) onUnread(`a type that is no text of up to ${kindMaxBytes} bytes`);
  if (generated !== undefined && generated !== null && !isObject(generated))
    onUnread("a generated that is no object");
  const eventTime = isObject(generated) ? timestampUnder(generated, "at", onUnread) : undefined;
  return {
    name: path,
    originId: id,
    fields: {
      content: contentOf(file),
      memoryType: MemoryType.SEMANTIC,
      ...(isKind && { kind }),
      tags: [...new Set(tagsUnder(frontMatter, "tags", onUnread))],
      ...(eventTime && { eventTime }),
      metadata: {
        ...rest,
        [originEntry]: { from: "okf", id, ...(generated !== undefined && { generated }) },
      },
    },
  };
}
