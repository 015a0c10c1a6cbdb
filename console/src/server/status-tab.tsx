import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type GetServerResponse, ServerWrites } from "#gen/vademecum/v1/server_pb.js";
import { useLoaded } from "../pages/load.js";
import { Moment } from "../parts/moment.js";
import { FailureNote, Loading } from "../parts/notes.js";
import { hrefOf } from "../router.js";
import { admin } from "../rpc.js";
import { countPhrase, Text } from "../text.js";
import { spanOf } from "../times.js";
import { Course } from "./course.js";
import { bytesText, durationText } from "./units.js";

const pollMs = 10_000;

/** Whether the server is well, and how it did in the last hour. */
export function StatusTab(): JSX.Element {
  const { value, error, reload } = useLoaded((signal) => admin.getServer({}, { signal }), []);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") reload();
    }, pollMs);
    return () => clearInterval(timer);
  }, []);
  if (error !== undefined) return <FailureNote error={error} onRetry={reload} />;
  if (value === undefined) return <Loading what="the server" />;
  return (
    <>
      <About server={value} />
      <Figures server={value} />
      <Course />
      <Care server={value} />
    </>
  );
}

const writesTexts: Readonly<Record<ServerWrites, string>> = {
  [ServerWrites.UNSPECIFIED]: "unknown",
  [ServerWrites.OK]: "accepted",
  [ServerWrites.DISK_FULL]: "refused: the disk is full",
  [ServerWrites.READ_ONLY]: "refused: the database is read-only",
  [ServerWrites.UNAVAILABLE]: "refused: the store is not available",
};

function About({ server }: { readonly server: GetServerResponse }) {
  const { startTime, time, writes, provider, modelId, dimension, credentialsInUse } = server;
  const upMs = startTime && time ? timestampMs(time) - timestampMs(startTime) : 0;
  return (
    <p class="server-line">
      <b>{server.version}</b> · up {spanOf(upMs)} · {provider}, format {server.format} ·{" "}
      {modelId === "" ? "no embedder" : <Text value={`${modelId}, ${dimension} dimensions`} />} ·{" "}
      callers are {credentialsInUse ? "checked" : <span class="warn">not checked</span>} · writes
      are{" "}
      {writes === ServerWrites.OK ? "accepted" : <span class="warn">{writesTexts[writes]}</span>}
    </p>
  );
}

/** The figures of the last minute. */
function Figures({ server }: { readonly server: GetServerResponse }) {
  const { lastMinute, indexBytes, indexMaxBytes, hotCollections, dataBytes, freeBytes } = server;
  const failures = lastMinute?.failures ?? 0n;
  const figures: readonly (readonly [string, JSX.Element | string])[] = [
    ["calls a second", (lastMinute?.callsPerSecond ?? 0).toFixed(1)],
    [
      "failures",
      <span key="failures" class={failures > 0n ? "warn" : undefined}>
        {String(failures)}
      </span>,
    ],
    ["half of the calls within", durationText(lastMinute?.p50)],
    ["99 of 100 within", durationText(lastMinute?.p99)],
    ["RAM", bytesText(server.residentBytes)],
    [
      `indexes (${hotCollections} loaded)`,
      `${bytesText(indexBytes)} of ${bytesText(indexMaxBytes)}`,
    ],
    ...(dataBytes === undefined ? [] : [["data", bytesText(dataBytes)] as const]),
    ...(freeBytes === undefined ? [] : [["free on the disk", bytesText(freeBytes)] as const]),
  ];
  return (
    <dl class="figures" aria-label="The last minute">
      {figures.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{text}</b>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What a person should look after. */
function Care({ server }: { readonly server: GetServerResponse }) {
  return (
    <>
      <h2>Upkeep</h2>
      <dl class="fields">
        <div>
          <dt>holds</dt>
          <dd>
            <a href={hrefOf(["users"])}>{String(server.users)} users</a>,{" "}
            {String(server.namespaces)} namespaces, {String(server.memories)} memories,{" "}
            {bytesText(server.storedBytes)} of records
          </dd>
        </div>
        <div>
          <dt>under way</dt>
          <dd>
            <a href={hrefOf(["server", "jobs"])}>{countPhrase(server.jobs.length, "job")}</a>
          </dd>
        </div>
        <div>
          <dt>waiting</dt>
          <dd>
            <a href={hrefOf(["inbox"])}>{countPhrase(server.pendingProposals, "proposal")}</a>
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
