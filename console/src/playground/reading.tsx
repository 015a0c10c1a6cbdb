import type { JSX } from "preact";
import type { QueryReading } from "#gen/vademecum/v1/memory_provider_pb.js";
import { Text } from "../text.js";

/** How the server understood the query. */
export function Reading({ reading }: { readonly reading: QueryReading }): JSX.Element {
  const { terms, respellings, dates, authors, vectorWeight, minRelevance, timeZone } = reading;
  const parts: readonly (readonly [string, string])[] = [
    ["keywords", terms.map(({ term, memories }) => `${term} (${memories})`).join(" · ")],
    ["read as", respellings.map(({ word, terms: to }) => `${word} → ${to.join(", ")}`).join("; ")],
    [
      "dates",
      dates
        .map(
          ({ firstDay, lastDay, everyYear }) =>
            `${firstDay || "…"} to ${lastDay || "…"}${everyYear ? " of every year" : ""}`,
        )
        .join("; "),
    ],
    ["zone", dates.length > 0 ? timeZone : ""],
    ["authors", `${authors.join(", ")}${reading.onlyAboutAuthors ? " only" : ""}`],
    ["vector weight", vectorWeight.toFixed(2)],
    ["relevance from", minRelevance.toFixed(2)],
  ];
  return (
    <p class="reading">
      {parts
        .filter(([, text]) => text.trim() !== "")
        .map(([name, text]) => (
          <span key={name}>
            <span class="faint">{name} </span>
            <Text value={text} />
          </span>
        ))}
    </p>
  );
}
