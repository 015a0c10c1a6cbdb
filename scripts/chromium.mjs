// Finds or installs the browser (Chromium or Chrome) for the tests of web pages:
//
// - `node scripts/chromium.mjs` installs Chromium if there is no browser. It needs apt-get and
//   root. If it cannot install Chromium, it says so. With CI_REQUIRE_TOOLCHAINS=1, this is a
//   failure.
// - `node scripts/chromium.mjs --program` prints the path of the browser.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const names = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome.exe",
];
const places = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  join(process.env["ProgramFiles"] ?? "", "Google", "Chrome", "Application", "chrome.exe"),
];

/** Returns the path of the browser, or `undefined` if there is none. */
export function chromiumProgram() {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...places].find(
    (file) => existsSync(file),
  );
}

/** Returns the reason why this machine cannot install the browser, or `undefined`. */
function obstacle() {
  if (process.getuid?.() !== 0) return "only root can install it";
  return spawnSync("apt-get", ["--version"]).error === undefined
    ? undefined
    : "there is no apt-get here to install it";
}

/** @param {readonly string[]} args */
function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status } = spawnSync("apt-get", args, {
    stdio: ["ignore", process.stderr, process.stderr],
    env,
  });
  if (status !== 0) throw new Error(`apt-get ${args.join(" ")} ended with ${status}`);
}

function install() {
  const why = obstacle();
  if (why === undefined) {
    aptGet("update", "--quiet");
    aptGet("install", "--quiet", "--yes", "--no-install-recommends", "chromium");
  } else {
    process.stderr.write(
      `Skipped installing Chromium: ${why}. Install Chromium or Chrome by hand.\n`,
    );
    if (process.env["CI_REQUIRE_TOOLCHAINS"] === "1") process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const program = chromiumProgram();
  if (process.argv.includes("--program"))
    process.stdout.write(program === undefined ? "" : `${program}\n`);
  else if (program === undefined) install();
}
