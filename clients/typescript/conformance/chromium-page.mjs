import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { rolldown } from "rolldown";
import { chromiumProgram } from "../../../scripts/chromium.mjs";

const folder = dirname(fileURLToPath(import.meta.url));
const certificate = join(folder, "..", "..", "conformance", "tls", "cert.pem");

/**
 * Opens a Chromium page for a program. Bundles the program for browsers, as authors of pages do.
 *
 * `origin` is `http://` and a host name without a port. This process serves the page on a free
 * port, and Chromium maps the host name to that port. So the origin is known before the page
 * exists, and a server can allow the origin from its start. The host name must not be localhost.
 * For any other name, the browser withholds the APIs that need TLS, as for most pages without TLS.
 */
export async function openPage(program, origin, onConsole) {
  const script = await bundle(program);
  const site = createServer(({ url }, response) => {
    const [type, text] =
      url === "/program.js"
        ? ["text/javascript", script]
        : ["text/html", "<!doctype html><title>Page</title>"];
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(text);
  });
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  const browser = await chromium.launch({
    executablePath: chromiumProgram(),
    args: [
      `--host-resolver-rules=MAP ${new URL(origin).host}:80 127.0.0.1:${site.address().port}`,
      // Trusts the certificate of the conformance servers. A page itself cannot choose this.
      `--ignore-certificate-errors-spki-list=${publicKeyDigest(certificate)}`,
    ],
  });
  const page = await browser.newPage();
  page.on("console", onConsole);
  await page.goto(origin);
  return {
    /** Calls an exported function of the program. The argument and the result are JSON values. */
    call: (name, argument) =>
      page.evaluate(
        `import("/program.js").then((program) => program.${name}(${JSON.stringify(argument)}))`,
      ),
    /** Runs the program to its end. */
    run: () => page.evaluate(`import("/program.js").then(() => undefined)`),
    async close() {
      await browser.close();
      site.close();
    },
  };
}

async function bundle(program) {
  const build = await rolldown({ input: program, platform: "browser", logLevel: "warn" });
  const { output } = await build.generate({ format: "esm", codeSplitting: false });
  await build.close();
  return output[0].code;
}

function publicKeyDigest(file) {
  const key = new X509Certificate(readFileSync(file)).publicKey.export({
    type: "spki",
    format: "der",
  });
  return createHash("sha256").update(key).digest("base64");
}
