import { spawn } from "node:child_process";

/** Opens an address in the browser of the person. Without a browser, nothing happens. */
export function openInBrowser(address: string): void {
  const [program, ...args] =
    process.platform === "darwin"
      ? (["open", address] as const)
      : process.platform === "win32"
        ? (["cmd", "/c", "start", "", address] as const)
        : (["xdg-open", address] as const);
  const child = spawn(program, args, { detached: true, stdio: "ignore" });
  child.on("error", () => undefined);
  child.unref();
}
