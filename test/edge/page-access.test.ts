import { describe, expect, it } from "vitest";
import { isTrustedHost, pageRefusal } from "../../src/edge/page-access.js";

const rules = {
  allowsOrigin: (origin: string) => origin === "https://app.example.com",
  allowedHosts: ["memory.example.com"],
};

describe("a request of a web page", () => {
  it.each([
    ["of no page", undefined, "evil.example"],
    ["of an allowed origin, with any Host", "https://app.example.com", "evil.example"],
    ["of the server's own origin, by IPv4 address", "http://192.168.1.5:8080", "192.168.1.5:8080"],
    ["of the server's own origin, by IPv6 address", "http://[::1]:8080", "[::1]:8080"],
    ["of the server's own origin on localhost", "http://localhost:8080", "localhost:8080"],
    ["with the Host localhost in capitals", "http://localhost:8080", "LOCALHOST:8080"],
    ["with an allowed Host", "http://memory.example.com", "memory.example.com"],
    ["with an allowed Host behind TLS", "https://memory.example.com", "memory.example.com"],
    [
      "with an allowed Host and the default port",
      "https://memory.example.com",
      "memory.example.com:443",
    ],
  ])("a request %s may proceed", (_name, origin, host) => {
    expect(pageRefusal({ origin, host }, rules)).toBeUndefined();
  });

  it.each([
    [
      "with a Host that DNS rebinding has pointed at this server",
      "http://evil.example:8080",
      "evil.example:8080",
      "UNKNOWN_HOST",
    ],
    ["with a Host that looks local", "http://localhost.evil", "localhost.evil", "UNKNOWN_HOST"],
    ["with a Host that ends in a dot", "http://localhost.", "localhost.", "UNKNOWN_HOST"],
    [
      "with a Host that looks like an address",
      "http://127.0.0.1.evil",
      "127.0.0.1.evil",
      "UNKNOWN_HOST",
    ],
    ["of another origin", "https://evil.example", "localhost:8080", "OTHER_ORIGIN"],
    ["of another port", "http://localhost:3000", "localhost:8080", "OTHER_ORIGIN"],
    [
      "of another scheme, with another default port",
      "https://localhost",
      "localhost:80",
      "OTHER_ORIGIN",
    ],
    ["of a sandboxed frame", "null", "localhost:8080", "OTHER_ORIGIN"],
    ["of a file", "file://", "localhost:8080", "OTHER_ORIGIN"],
    ["without a Host", "http://localhost:8080", undefined, "OTHER_ORIGIN"],
    ["of an allowed origin in capitals", "https://APP.example.com", "localhost", "OTHER_ORIGIN"],
  ])("a request %s is refused", (_name, origin, host, refusal) => {
    expect(pageRefusal({ origin, host }, rules)).toBe(refusal);
  });
});

it.each(["evil@localhost", "localhost/x", "localhost?", "local host", "", "[::1", ":80"])(
  "the Host '%s' is not trusted",
  (host) => {
    expect(isTrustedHost(host, [])).toBe(false);
  },
);
