import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { JSX } from "preact";
import { place, replaceQuery } from "../location.js";
import { nowMs } from "../now.js";
import { Chart } from "../parts/chart.js";
import { FailureNote } from "../parts/notes.js";
import { type Column, Table } from "../parts/table.js";
import { spanOf } from "../times.js";
import { type Interval, intervalsOf, type MethodRate, methodRates } from "./rates.js";
import { samples, useSamples } from "./server-samples.js";
import { bytesText, msText } from "./units.js";

const spans: Readonly<Record<string, number>> = { "10 minutes": 600_000, hour: 3_600_000 };
/** Methods that are listed. */
const methodsMax = 12;

const charts: readonly (readonly [
  name: string,
  value: (interval: Interval) => number | undefined,
  text: (value: number) => string,
])[] = [
  ["calls a second", ({ callsPerSecond }) => callsPerSecond, (value) => value.toFixed(1)],
  ["half of the calls within", ({ p50Ms }) => p50Ms, msText],
  ["99 of 100 calls within", ({ p99Ms }) => p99Ms, msText],
  ["a commit takes", ({ syncMs }) => syncMs, msText],
  ["event loop late by", ({ loopDelayMs }) => loopDelayMs, msText],
  ["RAM", ({ residentBytes }) => residentBytes, bytesText],
  ["RAM of indexes", ({ indexBytes }) => indexBytes, bytesText],
];

/** How the server did in the last minutes, as lines, and which calls it got. */
export function Course(): JSX.Element {
  const error = useSamples();
  const spanMs = spans[place.value.query["span"] ?? ""] ?? 3_600_000;
  const latest = samples.value.at(-1);
  const latestMs = latest?.time === undefined ? 0 : timestampMs(latest.time);
  const shown = samples.value.filter(
    ({ time }) => time !== undefined && timestampMs(time) >= latestMs - spanMs,
  );
  const intervals = intervalsOf(shown);
  const first = shown[0];
  return (
    <section aria-label="Over time">
      <div class="head-line">
        <h2>Over time</h2>
        <label>
          <span class="faint">the last</span>{" "}
          <select
            value={Object.keys(spans).find((name) => spans[name] === spanMs)}
            onChange={({ currentTarget }) => replaceQuery({ span: currentTarget.value })}
          >
            {Object.keys(spans).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <span class="faint" data-testid="samples">
          {latest === undefined
            ? "no sample yet"
            : `${shown.length === 1 ? "1 sample" : `${shown.length} samples`}, the last one ${spanOf(nowMs.value - latestMs)} ago`}
        </span>
      </div>
      {error !== undefined && <FailureNote error={error} />}
      <div class="charts">
        {charts.map(([name, value, text]) => (
          <Chart
            key={name}
            name={name}
            points={intervals.flatMap((interval) => {
              const at = value(interval);
              return at === undefined ? [] : [[interval.endMs, at] as const];
            })}
            text={text}
          />
        ))}
      </div>
      {first !== undefined && latest !== undefined && first !== latest && (
        <Methods rates={methodRates(first, latest)} />
      )}
    </section>
  );
}

const columns: readonly Column<MethodRate>[] = [
  { head: "call", cell: ({ method }) => method },
  { head: "number", kind: "number", cell: ({ calls }) => calls },
  {
    head: "a second",
    kind: "number",
    cell: ({ callsPerSecond }) => callsPerSecond.toFixed(callsPerSecond < 0.1 ? 3 : 1),
  },
  { head: "mean", kind: "number", cell: meanText },
  {
    head: "not OK",
    kind: "wide",
    cell: ({ failures }) => failures.map(([code, calls]) => `${code} ${calls}`).join(", "),
  },
];

/** Watches last as long as somebody watches. */
function meanText({ method, meanMs }: MethodRate): string {
  return method.includes("/Watch") ? "–" : msText(meanMs);
}

function Methods({ rates }: { readonly rates: readonly MethodRate[] }): JSX.Element {
  return (
    <>
      <h3>Calls in this time</h3>
      {rates.length === 0 ? (
        <p class="faint">None has ended.</p>
      ) : (
        <Table
          label="Calls"
          columns={columns}
          items={rates.slice(0, methodsMax)}
          keyOf={({ method }) => method}
        />
      )}
      {rates.length > methodsMax && (
        <p class="faint">
          The {methodsMax} most frequent of {rates.length}.
        </p>
      )}
    </>
  );
}
