import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { tagMaxBytes, tagsMax } from "../../core/model/limits.js";
import type { ConceptFile } from "../exports/okf-folder.js";
import { textOf, timestampUnder } from "./export-values.js";
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
  const { type, title: _title, description: _description, tags, generated, ...rest } = frontMatter;
  const id = path.replace(/\.md$/, "");
  const onUnread = (reason: string): void => void incomplete.push({ name: path, reason });
  const kind = typeof type === "string" ? type : "";
  const made = typeof generated === "object" && !Array.isArray(generated) ? generated : null;
  const eventTime = made === null ? undefined : timestampUnder(made, "at", onUnread);
  const given = Array.isArray(tags) ? tags.map(String) : [];
  const kept = given.filter((tag) => tag !== "" && Buffer.byteLength(tag) <= tagMaxBytes);
  if (kept.length < given.length || kept.length > tagsMax)
    onUnread("tags that are too long or too many");
  return {
    name: path,
    originId: id,
    fields: {
      content: contentOf(file),
      memoryType: MemoryType.SEMANTIC,
      ...(kind !== "" && Buffer.byteLength(kind) <= kindMaxBytes && { kind }),
      tags: [...new Set(kept)].slice(0, tagsMax),
      ...(eventTime && { eventTime }),
      metadata: {
        ...rest,
        [originEntry]: { from: "okf", id, ...(generated !== undefined && { generated }) },
      },
    },
  };
}
