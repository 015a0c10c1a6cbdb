import type { JSX } from "preact";
import { place, replaceQuery } from "../location.js";
import { Field } from "../parts/field.js";
import { Press } from "../parts/press.js";
import { type SearchField, searchFields, settingsOf } from "./request.js";

const fieldNames: Readonly<Record<SearchField, string>> = {
  q: "query",
  budget: "budget",
  limit: "limit",
  min: "min relevance",
  gate: "gate",
  order: "order",
  recency: "recency weight",
  importance: "importance weight",
  novelty: "novelty weight",
  zone: "time zone",
};

/** Starts a comparison with a copy of the settings, or ends it. */
function toggleComparison(): void {
  const { query } = place.value;
  const isCompared = query["compare"] === "on";
  const copies = searchFields
    .filter((field) => field !== "q")
    .map((field) => [`b.${field}`, isCompared ? "" : query[field]]);
  replaceQuery({ ...Object.fromEntries(copies), compare: isCompared ? "" : "on" });
}

/** The query, and the switch between one setting and two. */
export function QueryForm(): JSX.Element {
  const { query } = place.value;
  const isCompared = query["compare"] === "on";
  return (
    <div class="filter-bar">
      <Field
        name={fieldNames.q}
        value={query["q"] ?? ""}
        width="query"
        onChange={(q) => replaceQuery({ q })}
      />
      <Press isPressed={isCompared} onPress={toggleComparison}>
        Compare two settings
      </Press>
    </div>
  );
}

/** The settings of a search, except its query. `prefix`: what they have in the address. */
export function SettingsForm({ prefix }: { readonly prefix: string }): JSX.Element {
  const settings = settingsOf(place.value.query, prefix);
  const change = (field: SearchField, value: string) => replaceQuery({ [prefix + field]: value });
  return (
    <div class="filter-bar">
      {searchFields
        .filter((field) => field !== "q" && field !== "order")
        .map((field) => (
          <Field
            key={field}
            name={fieldNames[field]}
            value={settings[field] ?? ""}
            width={field === "zone" ? "short" : "tiny"}
            isNumber={field !== "zone"}
            onChange={(value) => change(field, value)}
          />
        ))}
      <label>
        <span class="faint">{fieldNames.order}</span>{" "}
        <select
          value={settings["order"] ?? ""}
          onChange={({ currentTarget }) => change("order", currentTarget.value)}
        >
          <option value="">relevance</option>
          <option value="newest">newest</option>
        </select>
      </label>
    </div>
  );
}
