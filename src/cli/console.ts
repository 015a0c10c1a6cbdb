import { Command } from "commander";
import { connectionSettings } from "../config/client-settings.js";
import { readSettings } from "../config/config.js";
import { contextChoice } from "../config/contexts.js";
import { serverSettings } from "../config/server-settings.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { keyForServer } from "./connection.js";
import { openInBrowser } from "./open-in-browser.js";
import { urlOnThisMachine } from "./own-server.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

const examples = `
Examples:
  $ vademecum console
  $ vademecum console --url https://memory.example.com
  $ VADEMECUM_API_KEY_FILE=ada.key vademecum console

Without --url, the address is that of a server on this machine, at the port of VADEMECUM_HTTP, and
over TLS if VADEMECUM_TLS_CERT is set.

Without a key, the command also opens the address in your browser, if its output is a terminal. With
a key, it prints an address that ends in #key=…: the page takes the key from it, and no server or
proxy sees this part of an address. Open it yourself, because other users of the machine could read
the command line of the browser.`;

const { httpAddress, tlsCert } = serverSettings;
const { apiKey, apiKeyFile } = connectionSettings;
const keySettings = { apiKey, apiKeyFile };

/** Creates the command `console`, which prints the address of the web console and opens it. */
export function consoleCommand(io: CommandIo): Command {
  const command = new Command("console")
    .description("Print the address of the web console, and open it in a browser.")
    .option("--url <url>", "The HTTP address of the server, such as https://memory.example.com.")
    .option("--no-open", "Only print the address.")
    .addHelpText("after", examples);
  addSettings(command, { ...contextChoice, ...keySettings });
  return command.action(async () => {
    const { url, open } = command.opts<{ url?: string; open: boolean }>();
    const server = url === undefined ? ownUrl(io) : withSlash(url);
    const flagTexts = readFlagTexts(command, keySettings);
    const key = keyForServer(
      { ...readSettings(keySettings, flagTexts, io.environment), server },
      { server: "url", apiKeyFile: "api-key-file" },
    );
    const address = new URL("console/", server).href;
    await printLine(
      io.stdout,
      key === undefined ? address : `${address}#key=${encodeURIComponent(key)}`,
    );
    if (open && key === undefined && io.stdout.isTTY === true) openInBrowser(address);
  });
}

/** Returns the URL of the server that would start with the settings in the environment. */
function ownUrl({ environment }: CommandIo): string {
  const settings = readSettings({ httpAddress, tlsCert }, new Map(), environment);
  return withSlash(urlOnThisMachine(settings.httpAddress, settings.tlsCert !== undefined));
}

/** Checks a URL, and adds the slash without which `new URL` would replace its last part. */
function withSlash(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandFailure(`--url: '${url}' must begin with http:// or https://`, 2);
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/*$/, "/")}`;
}
