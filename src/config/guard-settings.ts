import { listSetting, type Settings } from "./setting.js";
import { InvalidSettingValue } from "./setting-values.js";

const actions = ["tag", "redact", "reject", "off"] as const;

/** What to do with texts of some users and agents that look like secrets. */
interface GuardRule {
  /** Whole ids, or prefixes with `*`. */
  readonly users: readonly string[];
  readonly agents: readonly string[];
  readonly action: (typeof actions)[number];
}

/** The settings of the guard. */
export const guardSettings = {
  guard: listSetting({
    flag: "guard",
    placeholder: "rule",
    parse: parseGuardRules,
    help:
      "What to do with texts that look like API keys, private keys, tokens, passwords in URLs, card " +
      "numbers or account numbers, before they are stored. tag: give memories a tag. redact: replace " +
      "each by its kind. reject: refuse the request. USER/AGENT=ACTION limits a rule, such as " +
      "support-*=reject or ann/guide=off; the first rule that fits holds. The guard misses secrets of " +
      "other forms.",
  }),
} as const satisfies Settings;

/**
 * Parses rules of the guard, separated by commas: an action, or `USER=ACTION`, or
 * `USER/AGENT=ACTION` with a whole id or a prefix with `*`.
 *
 * @throws InvalidSettingValue when a rule has another form, or an earlier rule covers it
 */
function parseGuardRules(text: string): readonly GuardRule[] {
  const rules = text.split(",").map((part) => {
    const [, user = "*", agent = "*", name] =
      /^(?:([^/=]+)(?:\/([^/=]+))?=)?([a-z]+)$/.exec(part.trim()) ?? [];
    const action = actions.find((known) => known === name);
    const isPattern = [user, agent].every((id) => !id.slice(0, -1).includes("*"));
    if (action !== undefined && isPattern) return { users: [user], agents: [agent], action };
    throw new InvalidSettingValue(
      `${actions.join(", ")}, for all or for some: USER=ACTION or USER/AGENT=ACTION, such as ` +
        "support-*/guide=redact. An id may end in *, and has no '/', '=' or ','",
    );
  });
  for (const [at, rule] of rules.entries()) {
    const first = rules.findIndex((earlier) => covers(earlier, rule));
    if (first < at)
      throw new InvalidSettingValue(
        `rules that can hold: rule ${at + 1} never does, because rule ${first + 1} covers the same ` +
          "users and agents and comes first. Put the rule for fewer first",
      );
  }
  return rules;
}

/** Whether a rule covers all users and agents of another. */
function covers(rule: GuardRule, other: GuardRule): boolean {
  const includes = ([pattern = ""]: readonly string[], [of = ""]: readonly string[]): boolean =>
    pattern.endsWith("*") ? of.startsWith(pattern.slice(0, -1)) : of === pattern;
  return includes(rule.users, other.users) && includes(rule.agents, other.agents);
}
