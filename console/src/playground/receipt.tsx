import type { JSX } from "preact";
import type { SearchSummary } from "#gen/vademecum/v1/search_pb.js";
import { durationText } from "../server/units.js";
import { countPhrase, Text } from "../text.js";

/** How many memories a search returned, and what of its budget they use. */
export function Receipt({ summary }: { readonly summary: SearchSummary | undefined }): JSX.Element {
  return (
    <p class="meta" role="status">
      {summary?.returned ?? 0} of {countPhrase(summary?.totalMatches ?? 0, "match", "matches")} ·{" "}
      {summary?.tokensUsed ?? 0}
      {summary?.budgetTokens !== undefined && ` of ${summary.budgetTokens}`} tokens ·{" "}
      {durationText(summary?.queryDuration)}
      {summary?.noHitsReason !== undefined && summary.noHitsReason !== "" && (
        <>
          {" · "}
          <Text value={summary.noHitsReason} />
        </>
      )}
      {summary?.budgetTokens !== undefined && (
        <>
          {" "}
          <meter max={summary.budgetTokens} value={summary.tokensUsed} aria-label="tokens used" />
        </>
      )}
    </p>
  );
}
