import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";

/** What one reading of the metrics returned; `undefined`: the server did not answer. */
export type Reading = string | undefined;

/** The time between the two readings from which rates are computed, in seconds. */
const betweenSeconds = 300;

interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Returns the alert rules of `deploy/metrics`: their expressions by name. */
export async function readAlertRules(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join("deploy", "metrics", "alerts.yaml"), "utf8");
  const { groups } = parse(text) as {
    groups: { rules: { alert: string; expr: string }[] }[];
  };
  return new Map(groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr])));
}

/**
 * Evaluates an expression as Prometheus does, over two readings that are five minutes apart. Knows
 * only what the rules use: a comparison of a metric, of `rate` or `increase`, or of their `sum by`.
 * A series that is only in the second reading has no rate.
 */
export function fires(expression: string, before: Reading, now: Reading): boolean {
  const form =
    /^(?:sum by \(([\w, ]+)\) \()?(?:(rate|increase)\()?(\w+)(\{[^}]*\})?(?:\[\w+\])?\)*\s(==|<|>)\s([\d.]+)$/;
  const [, by, over, name = "", selector, comparison, limit] = form.exec(expression) ?? [];
  if (name === "") throw new Error(`cannot evaluate ${expression}`);
  const matches = (reading: Reading): Series[] =>
    seriesOf(reading).filter((series) => series.name === name && fits(series, selector));
  const first = new Map(matches(before).map((series) => [keyOf(series), series.value]));
  const sums = new Map<string, number>();
  for (const series of matches(now)) {
    const earlier = first.get(keyOf(series));
    if (over !== undefined && earlier === undefined) continue;
    const growth = series.value - (earlier ?? 0);
    const value =
      over === "rate" ? growth / betweenSeconds : over === "increase" ? growth : series.value;
    const group = by === undefined ? keyOf(series) : by.split(", ").map((it) => series.labels[it]);
    const key = String(group);
    sums.set(key, (sums.get(key) ?? 0) + value);
  }
  const compare = (value: number): boolean => {
    if (comparison === "==") return value === Number(limit);
    return comparison === "<" ? value < Number(limit) : value > Number(limit);
  };
  return [...sums.values()].some(compare);
}

/** Returns the series of a reading, and `up`, as Prometheus adds it. */
function seriesOf(reading: Reading): Series[] {
  const up = { name: "up", labels: { job: "vademecum" }, value: reading === undefined ? 0 : 1 };
  const lines = (reading ?? "").split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return [up, ...lines.map(toSeries)];
}

function toSeries(line: string): Series {
  const [, name = "", labels = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  const pairs = labels.matchAll(/(\w+)="([^"]*)"/g);
  return {
    name,
    labels: Object.fromEntries([...pairs].map(([, label = "", text = ""]) => [label, text])),
    value: Number(value),
  };
}

function fits({ labels }: Series, selector = ""): boolean {
  const conditions = [...selector.matchAll(/(\w+)(=~|=)"([^"]*)"/g)];
  return conditions.every(([, label = "", operator, text = ""]) =>
    operator === "="
      ? labels[label] === text
      : new RegExp(`^(?:${text})$`).test(labels[label] ?? ""),
  );
}

function keyOf({ labels }: Series): string {
  return JSON.stringify(labels);
}
