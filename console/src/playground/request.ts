import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import { SearchOrder } from "#gen/vademecum/v1/search_pb.js";

/** The settings of a search, as they are in the address. */
export const searchFields = [
  "q",
  "budget",
  "limit",
  "min",
  "gate",
  "order",
  "recency",
  "importance",
  "novelty",
  "zone",
] as const;
export type SearchField = (typeof searchFields)[number];

/**
 * Returns the settings of an address whose names begin with `prefix`, under their own names. The
 * query is that of all settings.
 */
export function settingsOf(
  query: Readonly<Record<string, string>>,
  prefix: string,
): Readonly<Record<string, string>> {
  const names = searchFields.filter((field) => field !== "q");
  return {
    q: query["q"] ?? "",
    ...Object.fromEntries(names.map((field) => [field, query[prefix + field] ?? ""])),
  };
}

type Space = { readonly userId: string; readonly agentId: string };

/** Returns the search of an address. Empty fields have the defaults of the server. */
export function searchOf(
  namespace: Space,
  query: Readonly<Record<string, string>>,
): MessageInitShape<typeof SearchRequestSchema> {
  const number = (field: SearchField) => {
    const text = (query[field] ?? "").trim();
    const value = Number(text);
    return text === "" || !Number.isFinite(value) ? undefined : value;
  };
  const given = <K extends string>(name: K, value: number | undefined) =>
    (value === undefined ? {} : { [name]: value }) as { [key in K]?: number };
  const weights = {
    ...given("recency", number("recency")),
    ...given("importance", number("importance")),
    ...given("novelty", number("novelty")),
  };
  return {
    namespace,
    query: query["q"] ?? "",
    ...given("budgetTokens", number("budget")),
    ...given("limit", number("limit")),
    ...given("minRelevance", number("min")),
    ...given("gate", number("gate")),
    ...(query["order"] === "newest" && { order: SearchOrder.NEWEST_FIRST }),
    ...(Object.keys(weights).length > 0 && { weights }),
    ...((query["zone"] ?? "") !== "" && { timeZone: query["zone"] ?? "" }),
  };
}
