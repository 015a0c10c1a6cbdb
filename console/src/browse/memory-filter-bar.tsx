import type { ComponentChildren, JSX } from "preact";
import { place, replacePlace, replaceQuery } from "../location.js";
import { Field } from "../parts/field.js";
import { Press } from "../parts/press.js";
import { type FilterField, filterFields, isFiltered, typeNames } from "./memory-filter.js";

const names: Readonly<Record<FilterField, string>> = {
  type: "type",
  tag: "tags",
  kind: "kind",
  thread: "thread",
  author: "author",
  contains: "contains",
  importance: "importance ≥",
  cel: "CEL",
};

/** The filter of a list of memories. It stays when nothing passes it. */
export function MemoryFilterBar({
  children,
}: {
  readonly children: ComponentChildren;
}): JSX.Element {
  const { path, query } = place.value;
  return (
    <div class="filter-bar">
      <label>
        <span class="faint">type</span>{" "}
        <select
          value={query["type"] ?? ""}
          onChange={({ currentTarget }) => replaceQuery({ type: currentTarget.value })}
        >
          <option value="">any</option>
          {Object.values(typeNames)
            .filter((name) => name !== "")
            .map((name) => (
              <option key={name}>{name}</option>
            ))}
        </select>
      </label>
      {filterFields
        .filter((field) => field !== "type")
        .map((field) => (
          <Field
            key={field}
            name={names[field]}
            value={query[field] ?? ""}
            width={field === "cel" ? "long" : "short"}
            isNumber={field === "importance"}
            onChange={(value) => replaceQuery({ [field]: value })}
          />
        ))}
      {isFiltered(query) && <Press onPress={() => replacePlace(path)}>Clear</Press>}
      {children}
    </div>
  );
}
