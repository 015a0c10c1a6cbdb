// The checks: what `npm run check`, `.ci/run` and `.ci/full` run, and how long each step may take
// on a quiet machine with two cores.

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} command A shell command, run in the project's folder.
 * @property {number} budgetSeconds
 * @property {Record<string, string>} [env]
 * @property {readonly string[]} [paths] The step runs only if a path with one of these beginnings
 *   has changed.
 */

/**
 * @typedef {object} List
 * @property {readonly Step[]} first Steps that the others need, one after another.
 * @property {readonly Step[]} alone Steps beside which nothing else may run.
 * @property {readonly (readonly Step[])[]} lanes Steps that run side by side. Steps that build the
 *   clients belong into one lane: they write into the same folders.
 */

const clientPaths = [
  "proto",
  "gen",
  "clients",
  "integrations",
  "scripts",
  "deploy",
  "package.json",
  "src/rpc",
];

/** @type {readonly Step[]} */
const tools = [
  { name: "command-line tools", command: "node scripts/go-tools.mjs", budgetSeconds: 120 },
  { name: "runtime of ONNX models", command: "node scripts/onnx-runtime.mjs", budgetSeconds: 30 },
  { name: "browser", command: "node scripts/chromium.mjs", budgetSeconds: 60 },
];

/** Otherwise the first steps of both lanes would build the server at the same time. @type {Step} */
const server = { name: "server", command: "node scripts/prepare.mjs", budgetSeconds: 30 };

/** @type {Step} */
const quickTests = { name: "quick tests", command: "npm test", budgetSeconds: 200 };

/** Its cases about deadlines need a machine that does nothing else. @type {Step} */
const conformance = {
  name: "protocol conformance",
  command: "node test/protocol-conformance/run.mjs",
  budgetSeconds: 15,
};

/** @type {Step} */
const types = { name: "types", command: "npm run types", budgetSeconds: 30 };

/** @type {Step} */
const lint = { name: "lint and format", command: "npm run lint", budgetSeconds: 30 };

/** @type {readonly Step[]} */
const sources = [
  lint,
  types,
  { name: "generated files", command: "npm run check:generated", budgetSeconds: 60 },
  { name: "breaking changes", command: "npm run check:breaking", budgetSeconds: 10 },
];

/** @type {Step} */
const clients = {
  name: "clients",
  command: "node clients/conformance/run.mjs",
  budgetSeconds: 400,
};

/** @type {Step} */
const calibration = {
  name: "calibration",
  command: "node scripts/calibrate.mjs",
  budgetSeconds: 10,
};

/** The long cases that do most with the store. */
const storeFiles =
  "blocks.test changed-files graphs.long key-values.test reindex.test restricted-principals skills-over-time time-zone";

/** @type {Step} */
const postgresLong = {
  name: "long tests over PostgreSQL",
  command: `npm run test:postgres-all -- ${storeFiles}`,
  budgetSeconds: 180,
};

/** The folders with native modules, and the command line. */
const nativeFolders = "test/store/level test/index/graph test/embed test/cli";

/** The files with cases that choose a protocol. The others would do the same again. */
const protocolFiles =
  "$(git grep -lE 'over-protocols|(provider|user)-suite' -- 'test/*.test.ts' ':!*.long.test.ts')";

/** @type {readonly Step[]} */
const otherNodes = ["24", "26"].map((release) => ({
  name: `native modules and command line on Node ${release}`,
  command: `node scripts/node-release.mjs ${release} npm test -- ${nativeFolders}`,
  budgetSeconds: 60,
}));

/** @type {Readonly<Record<string, List>>} */
export const lists = {
  check: {
    first: [],
    alone: [],
    lanes: [
      [{ name: "tests of changed files", command: "npm run test:changed", budgetSeconds: 100 }],
      [types, lint],
    ],
  },
  run: {
    first: [...tools, server],
    alone: [conformance],
    lanes: [
      [quickTests, { name: "long tests", command: "npm run test:long", budgetSeconds: 600 }],
      [
        ...sources,
        calibration,
        {
          name: "cases over native gRPC",
          command: `npm test -- ${protocolFiles}`,
          env: { VADEMECUM_TEST_PROTOCOL: "gRPC" },
          budgetSeconds: 80,
        },
        postgresLong,
        // After the quick tests, some of which read all files of the project: builds leave files.
        clients,
        {
          name: "installed server, TypeScript and Python",
          command: "node clients/install/run.mjs typescript python",
          budgetSeconds: 60,
        },
        {
          name: "installed Go, Java and Rust",
          command: "node clients/install/run.mjs go java rust",
          paths: clientPaths,
          budgetSeconds: 180,
        },
        {
          name: "integrations with LangGraph, the AI SDK and Anthropic's SDK",
          command: "node integrations/run.mjs langgraph-python langgraph-js ai-sdk anthropic-js",
          paths: clientPaths,
          budgetSeconds: 120,
        },
        ...otherNodes,
      ],
    ],
  },
  full: {
    first: [...tools, quickTests],
    alone: [conformance],
    lanes: [
      [{ name: "all tests", command: "npm run test:all", budgetSeconds: 2400 }, calibration],
      [
        ...sources,
        clients,
        { name: "known faults of packages", command: "node scripts/audit.mjs", budgetSeconds: 30 },
        {
          name: "release, with its packages installed",
          command: "npm run release -- --dry-run --allow-changes",
          budgetSeconds: 420,
        },
        { name: "integrations", command: "node integrations/run.mjs", budgetSeconds: 900 },
        { name: "tests over PostgreSQL", command: "npm run test:postgres", budgetSeconds: 400 },
        postgresLong,
        ...["24", "26"].map((release) => ({
          name: `quick tests on Node ${release}`,
          command: `node scripts/node-release.mjs ${release} npm test`,
          budgetSeconds: 150,
        })),
      ],
    ],
  },
};
