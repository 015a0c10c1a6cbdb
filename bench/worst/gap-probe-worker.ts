/** Measures the gap between answers to health checks of a server, in a worker thread. */
import { parentPort, workerData } from "node:worker_threads";
import { startHealthGap } from "./health-gap.js";

const gap = startHealthGap(workerData as string);

parentPort?.on("message", (message: "begin" | "end") => {
  if (message === "end") {
    void gap.end().then((gapMs) => parentPort?.postMessage(gapMs));
    return;
  }
  gap.begin();
  parentPort?.postMessage(0);
});
