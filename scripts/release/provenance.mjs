import { platform, release } from "node:os";
import { outputOf } from "../../clients/install/run-command.mjs";

/**
 * Returns a statement of where the files of a release come from, in the form of SLSA provenance
 * (https://slsa.dev/spec/v1.0/provenance). It is not signed: the build that publishes signs it.
 *
 * @param {object} facts
 * @param {string} facts.projectFolder
 * @param {string} facts.version
 * @param {readonly (readonly [string, string])[]} facts.subjects names of files with their SHA-256
 */
export function provenanceOf({ projectFolder, version, subjects }) {
  const git = (/** @type {readonly string[]} */ ...args) =>
    outputOf("git", args, { cwd: projectFolder }).trim();
  const lock = git("hash-object", "package-lock.json");
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: subjects.map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "https://slsa.dev/container-based-build/v0.1",
        externalParameters: { command: "npm run release -- --dry-run", version },
        internalParameters: { hasUncommittedChanges: git("status", "--porcelain") !== "" },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: git("rev-parse", "HEAD") } },
          { name: "package-lock.json", digest: { gitBlob: lock } },
        ],
      },
      runDetails: {
        builder: {
          id: "npm run release",
          version: { node: process.version, platform: `${platform()} ${release()}` },
        },
        metadata: { finishedOn: new Date().toISOString() },
      },
    },
  };
}
