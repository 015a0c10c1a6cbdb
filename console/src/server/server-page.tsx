import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type GetServerResponse, ServerWrites } from "#gen/vademecum/v1/server_pb.js";
import { Moment } from "../parts/moment.js";
import { FailureNote, Loading } from "../parts/notes.js";
import { Sparkline } from "../parts/sparkline.js";
import { hrefOf } from "../router.js";
import { Text } from "../text.js";
import { spanOf } from "../times.js";
import { Jobs } from "./jobs.js";
import { followServer, samples, samplesError } from "./server-samples.js";
import { bytesText, durationText, msOf } from "./units.js";

/** Whether the server is well, and what it is doing. */
export function ServerPage(): JSX.Element {
  useEffect(followServer, []);
  const latest = samples.value.at(-1);
  return (
    <section class="page" aria-label="Server">
      <h1>Server</h1>
      {samplesError.value !== undefined && <FailureNote error={samplesError.value} />}
      {latest === undefined ? (
        samplesError.value === undefined && <Loading what="the server" />
      ) : (
        <Shown server={latest} />
      )}
    </section>
  );
}

const writesTexts: Readonly<Record<ServerWrites, string>> = {
  [ServerWrites.UNSPECIFIED]: "unknown",
  [ServerWrites.OK]: "accepted",
  [ServerWrites.DISK_FULL]: "refused: the disk is full",
  [ServerWrites.READ_ONLY]: "refused: the database is read-only",
  [ServerWrites.UNAVAILABLE]: "refused: the store is not available",
};

function Shown({ server }: { readonly server: GetServerResponse }) {
  const { startTime, time, writes, provider, modelId, dimension, credentialsInUse } = server;
  const upMs = startTime && time ? timestampMs(time) - timestampMs(startTime) : 0;
  return (
    <>
      <p class="server-line">
        <b>{server.version}</b> · up {spanOf(upMs)} · {provider}, format {server.format} ·{" "}
        {modelId === "" ? "no embedder" : <Text value={`${modelId}, ${dimension} dimensions`} />} ·{" "}
        callers are {credentialsInUse ? "checked" : <span class="warn">not checked</span>} · writes
        are{" "}
        {writes === ServerWrites.OK ? "accepted" : <span class="warn">{writesTexts[writes]}</span>}
      </p>
      <Figures server={server} />
      <h2>Jobs</h2>
      <Jobs jobs={server.jobs} />
      <h2>Care</h2>
      <dl class="fields">
        <div>
          <dt>waiting</dt>
          <dd>
            <a href={hrefOf(["inbox"])}>{String(server.pendingProposals)} proposals</a>
          </dd>
        </div>
        <div>
          <dt>last backup</dt>
          <dd>
            {server.lastBackupTime === undefined ? (
              <span class="warn">none since the start</span>
            ) : (
              <Moment time={server.lastBackupTime} />
            )}
          </dd>
        </div>
        <div>
          <dt>last pruning</dt>
          <dd>
            <Moment time={server.lastPruneTime} />
          </dd>
        </div>
      </dl>
    </>
  );
}

/** The figures of the last minute, with their course since the page was opened. */
function Figures({ server }: { readonly server: GetServerResponse }) {
  const { lastMinute, residentBytes, indexBytes, indexMaxBytes, hotCollections } = server;
  const course = (value: (sample: GetServerResponse) => number) => samples.value.map(value);
  const figures: readonly (readonly [string, string, (readonly number[])?])[] = [
    [
      "calls a second",
      (lastMinute?.callsPerSecond ?? 0).toFixed(1),
      course(({ lastMinute: it }) => it?.callsPerSecond ?? 0),
    ],
    [
      "failures in the last minute",
      String(lastMinute?.failures ?? 0),
      course(({ lastMinute: it }) => Number(it?.failures ?? 0)),
    ],
    [
      "half of the calls within",
      durationText(lastMinute?.p50),
      course(({ lastMinute: it }) => msOf(it?.p50)),
    ],
    [
      "99 of 100 within",
      durationText(lastMinute?.p99),
      course(({ lastMinute: it }) => msOf(it?.p99)),
    ],
    ["RAM", bytesText(residentBytes), course(({ residentBytes: it }) => Number(it))],
    [
      `indexes (${hotCollections} loaded)`,
      `${bytesText(indexBytes)} of ${bytesText(indexMaxBytes)}`,
      course(({ indexBytes: it }) => Number(it)),
    ],
    ...(server.dataBytes === undefined ? [] : [["data", bytesText(server.dataBytes)] as const]),
    ...(server.freeBytes === undefined
      ? []
      : [["free on the disk", bytesText(server.freeBytes)] as const]),
  ];
  return (
    <dl class="figures">
      {figures.map(([name, text, values]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{text}</b>
            {values !== undefined && values.length > 1 && (
              <Sparkline label={name} values={values} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
