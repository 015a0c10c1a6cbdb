import { describe, expect, it } from "vitest";
import { configOf, problemsOf } from "./read-config.js";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const webhook = "https://app.example.com/hooks?of=memories";

describe("the settings of webhooks", () => {
  it("take a URL and one or more secrets", () => {
    const other = `whsec_${Buffer.alloc(24, 8).toString("base64")}`;
    const config = configOf({ webhook }, { VADEMECUM_WEBHOOK_SECRET: `${secret} ${other}` });
    expect(config.webhookUrl?.href).toBe(webhook);
    expect(config.webhookSecret).toEqual([Buffer.alloc(32, 7), Buffer.alloc(24, 8)]);
    expect(config.webhookMemories).toBe(false);
  });

  it.each(["http://localhost:9000/", "http://127.0.0.1:9000/", "http://[::1]:9000/"])(
    "take plain HTTP to this machine: %s",
    (local) => {
      const config = configOf({ webhook: local, "webhook-secret-file": "s" });
      expect(config.webhookUrl?.href).toBe(local);
    },
  );

  it.each(["http://app.example.com/", "http://10.0.0.1/", "ftp://localhost/", "nowhere"])(
    "refuse %s",
    (wrong) => {
      expect(problemsOf({ webhook: wrong, "webhook-secret-file": "s" })).toEqual([
        `--webhook: got '${wrong}'; allowed: a URL with https, or with http to this machine, and ` +
          "without a password, such as https://app.example.com/webhooks",
      ]);
    },
  );

  it("never show a secret or a password", () => {
    const [inUrl = ""] = problemsOf({ webhook: "https://ann:hidden@app.example.com/" });
    expect(inUrl).toContain("got 'app.example.com'");
    const [wrong = ""] = problemsOf({ webhook }, { VADEMECUM_WEBHOOK_SECRET: "whsec_hidden" });
    expect(wrong).toMatch(/^VADEMECUM_WEBHOOK_SECRET: got a value that is not shown; allowed: /);
    expect(inUrl + wrong).not.toContain("hidden");
  });

  it("say what is missing or given twice", () => {
    expect(problemsOf({ webhook })).toEqual([
      "--webhook-secret-file: missing; " +
        "allowed with --webhook: this file or VADEMECUM_WEBHOOK_SECRET, one of the two",
    ]);
    const both = problemsOf(
      { webhook, "webhook-secret-file": "s" },
      { VADEMECUM_WEBHOOK_SECRET: secret },
    );
    expect(both[0]).toContain("VADEMECUM_WEBHOOK_SECRET is set too");
    expect(problemsOf({ "webhook-memories": "true" })).toEqual([
      "--webhook-memories: needs --webhook, which is missing",
    ]);
  });
});
