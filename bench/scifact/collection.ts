import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** Documents, and queries with the documents that answer them. */
export interface Collection {
  readonly documents: readonly { readonly id: string; readonly content: string }[];
  readonly queries: readonly { readonly text: string; readonly relevant: ReadonlySet<string> }[];
}

/**
 * Reads the files of a folder: `corpus.jsonl.gz` (JSON lines with id, title and text),
 * `queries.tsv` (id, text), `qrels.txt` (TREC: query, 0, document, relevance).
 */
export function readCollection(folder: string): Collection {
  const documents = linesOf(
    gunzipSync(readFileSync(join(folder, "corpus.jsonl.gz"))).toString(),
  ).map((line) => {
    const { id, title, text } = JSON.parse(line) as {
      readonly id: string;
      readonly title: string;
      readonly text: string;
    };
    return { id, content: `${title} ${text}` };
  });
  const relevant = new Map<string, Set<string>>();
  for (const line of linesOf(readFileSync(join(folder, "qrels.txt"), "utf8"))) {
    const [query = "", , document = "", relevance] = line.split(/\s+/);
    if (Number(relevance) > 0)
      relevant.set(query, (relevant.get(query) ?? new Set()).add(document));
  }
  const queries = linesOf(readFileSync(join(folder, "queries.tsv"), "utf8")).flatMap((line) => {
    const [id = "", text = ""] = line.split("\t");
    const judged = relevant.get(id);
    return judged === undefined ? [] : [{ text, relevant: judged }];
  });
  return { documents, queries };
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}
