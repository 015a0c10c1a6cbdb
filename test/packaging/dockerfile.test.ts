import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  finalEnvironment,
  finalInstructions,
  jsonWords,
  projectFolder,
  stages,
} from "./dockerfile.js";

/** The files that .dockerignore lets through. */
const context = readFileSync(join(projectFolder, ".dockerignore"), "utf8")
  .split("\n")
  .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));

describe("the Dockerfile", () => {
  it("the Dockerfile copies only files that are in the repository and not in .dockerignore", () => {
    const tracked = execFileSync("git", ["ls-files"], {
      cwd: projectFolder,
      encoding: "utf8",
    }).split("\n");
    const sources = stages
      .flatMap(({ instructions }) => instructions)
      .filter(({ name, text }) => name === "COPY" && !text.includes("--from="))
      .flatMap(({ text }) => text.split(/\s+/).slice(0, -1));
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.filter((source) => !context.includes(source))).toEqual([]);
    expect(
      sources.filter(
        (source) => !tracked.some((file) => file === source || file.startsWith(`${source}/`)),
      ),
    ).toEqual([]);
  });

  it(".dockerignore leaves out everything that no COPY names", () => {
    const copied = stages.flatMap(({ instructions }) =>
      instructions.filter(({ name }) => name === "COPY").map(({ text }) => text.split(/\s+/)),
    );
    expect(context.filter((entry) => !copied.some((words) => words.includes(entry)))).toEqual([]);
  });

  it("the Dockerfile runs as a user other than root, and keeps the data in a volume", () => {
    expect(finalInstructions("USER")).toEqual(["node"]);
    expect(finalInstructions("VOLUME")).toEqual(["/data"]);
  });

  it("the Dockerfile sets the data folder and the addresses as variables, which the server and the health check read", () => {
    expect(finalEnvironment()).toMatchObject({
      VADEMECUM_DATA: "/data",
      VADEMECUM_GRPC: "0.0.0.0:50051",
      VADEMECUM_HTTP: "0.0.0.0:8080",
    });
    expect(jsonWords(finalInstructions("CMD")[0] ?? "")).toEqual(["serve", "--insecure"]);
  });

  it("the Dockerfile sets --insecure, and its comment says to publish the ports on loopback", () => {
    expect(jsonWords(finalInstructions("CMD")[0] ?? "")).toContain("--insecure");
    const text = readFileSync(join(projectFolder, "Dockerfile"), "utf8");
    for (const port of (finalInstructions("EXPOSE")[0] ?? "").split(" "))
      expect(text).toContain(`-p 127.0.0.1:${port}:${port}`);
  });
});
