import type { JSX } from "preact";
import type { Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import { replaceQuery } from "../location.js";
import { inbox, inboxVersion } from "./feed.js";
import { groupNames, groups } from "./groups.js";
import { counts, filter } from "./selection.js";

const fields = {
  user: ({ namespace }: Proposal) => namespace?.userId ?? "",
  agent: ({ namespace }: Proposal) => namespace?.agentId ?? "",
  target: ({ target }: Proposal) => target.value ?? "",
} as const;

/** Values that a menu offers at most. */
const valuesMax = 200;

/** Chooses which proposals the list has. The choice is in the address, and never disappears. */
export function FilterBar(): JSX.Element {
  const { all, checked } = counts.value;
  return (
    <div class="filter-bar">
      <fieldset class="groups">
        <legend class="spoken">Groups</legend>
        <GroupButton group="" name="All" count={all} />
        {groups.map((group) => (
          <GroupButton
            key={group}
            group={group}
            name={groupNames[group]}
            count={counts.value[group]}
          />
        ))}
        {checked < all && (
          <span class="faint">
            checked {checked} of {all}
          </span>
        )}
      </fieldset>
      <div class="menus">
        {(["user", "agent", "target"] as const).map((name) => (
          <Menu key={name} name={name} />
        ))}
      </div>
    </div>
  );
}

interface GroupButtonProps {
  readonly group: string;
  readonly name: string;
  readonly count: number;
}

function GroupButton({ group, name, count }: GroupButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={`group-button ${group === "" ? "" : `group-${group}`}`}
      aria-pressed={filter.value.group === group}
      onClick={() => replaceQuery({ group })}
    >
      {name} <b>{count}</b>
    </button>
  );
}

function Menu({ name }: { readonly name: keyof typeof fields }): JSX.Element {
  void inboxVersion.value;
  const value = filter.value[name];
  const found = new Set(value === "" ? [] : [value]);
  for (const proposal of inbox.waiting.values()) {
    if (found.size >= valuesMax) break;
    found.add(fields[name](proposal));
  }
  return (
    <label>
      <span class="faint">{name}</span>{" "}
      <select
        value={value}
        onChange={({ currentTarget }) => replaceQuery({ [name]: currentTarget.value })}
      >
        <option value="">any</option>
        {[...found].sort().map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
