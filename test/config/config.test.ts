import { describe, expect, it } from "vitest";
import { readCalibrateConfig } from "../../src/config/config.js";
import { serverSettings } from "../../src/config/server-settings.js";
import { configOf, problemsOf } from "./read-config.js";

describe("configuration", () => {
  it("the variables of OpenTelemetry set the collector and the share of traces", () => {
    const shared = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318",
      OTEL_TRACES_SAMPLER_ARG: "0.01",
    };
    const { otlpEndpoint, traceSample } = configOf({}, shared);
    expect([otlpEndpoint?.href, traceSample]).toEqual(["http://collector:4318/", 0.01]);
    const own = { ...shared, VADEMECUM_TRACE_SAMPLE: "0.5" };
    expect(configOf({}, own).traceSample).toBe(0.5);
    const wrong = { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318", OTEL_TRACES_SAMPLER_ARG: "2" };
    const secret = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://ann:secret@collector:4318" };
    expect(problemsOf({}, secret)).toEqual([
      expect.stringMatching(/^OTEL_EXPORTER_OTLP_ENDPOINT: got 'collector:4318'; allowed/),
    ]);
    const problems = problemsOf({}, wrong).join("\n");
    expect(problems).toMatch(/OTEL_EXPORTER_OTLP_ENDPOINT.*allowed: a URL/);
    expect(problems).toMatch(/OTEL_TRACES_SAMPLER_ARG.*allowed: a number/);
  });

  it("the default configuration serves ./data on loopback", () => {
    expect(configOf({})).toEqual({
      dataFolder: "./data",
      grpcAddress: { host: "127.0.0.1", port: 50_051 },
      guard: [],
      httpAddress: { host: "127.0.0.1", port: 8080 },
      httpAllowedOrigins: [],
      httpAllowedHosts: [],
      servesConsole: true,
      provider: "level",
      postgresUrls: [],
      postgresOwnerUrl: undefined,
      postgresPasswordFile: undefined,
      postgresPassword: undefined,
      postgresCa: undefined,
      embedder: "local",
      onnxModel: undefined,
      openaiUrl: "https://api.openai.com/v1",
      openaiModel: "text-embedding-3-small",
      openaiDimensions: undefined,
      openaiTimeoutMs: 10_000,
      openaiCacheMaxBytes: 256 * 1024 ** 2,
      openaiKey: undefined,
      indexMaxBytes: 1024 ** 3,
      graphThreshold: 500_000,
      timeZone: "UTC",
      allowReset: false,
      insecure: false,
      credentials: undefined,
      jwtKeySet: undefined,
      jwtIssuer: undefined,
      jwtAudience: undefined,
      tlsCert: undefined,
      tlsKey: undefined,
      tlsClientCa: undefined,
      tlsClientAuth: "optional",
      maxConnections: 10_000,
      maxConnectionsPerAddress: 1_000,
      messageBufferBytes: 256 * 1024 ** 2,
      pruning: true,
      onMoved: "forward",
      moveTargets: [],
      forwarders: [],
      skills: true,
      proposalLifetimeMs: 2_592_000_000,
      acceptClock: false,
      syncMarks: false,
      drainDelayMs: 0,
      drainTimeoutMs: 10_000,
      images: undefined,
      memoryVersions: 20,
      keepDecidedMs: undefined,
      blockVersions: undefined,
      keepTracesMs: 2_592_000_000,
      metricsAddress: undefined,
      otlpEndpoint: undefined,
      traceSample: 1,
      webhookUrl: undefined,
      webhookSecretFile: undefined,
      webhookSecret: undefined,
      webhookMemories: false,
      quotaBytes: undefined,
      quotaMemories: undefined,
      slowCallMs: 1_000,
      audit: undefined,
      auditKeepMs: 365 * 24 * 3_600_000,
      logLevel: "info",
    });
  });

  it("a flag overrides an environment variable, which overrides the default", () => {
    const environment = { VADEMECUM_DATA: "/from/environment", VADEMECUM_EMBEDDER: "none" };
    const config = configOf({ data: "/from/flag" }, environment);
    expect(config.dataFolder).toBe("/from/flag");
    expect(config.embedder).toBe("none");
    expect(config.provider).toBe("level");
  });

  it("an empty environment variable counts as not set", () => {
    expect(configOf({}, { VADEMECUM_DATA: "" }).dataFolder).toBe("./data");
  });

  it("a configuration is frozen", () => {
    expect(Object.isFrozen(configOf({}))).toBe(true);
  });

  it.each([
    ["127.0.0.1:0", { host: "127.0.0.1", port: 0 }],
    ["[::1]:65535", { host: "::1", port: 65_535 }],
    ["localhost:8080", { host: "localhost", port: 8080 }],
  ])("the address %s is read", (text, address) => {
    expect(configOf({ grpc: text }).grpcAddress).toEqual(address);
  });

  it.each([
    ["33554432", 32 * 1024 ** 2],
    ["512MiB", 512 * 1024 ** 2],
    ["1.5 GB", 1_500_000_000],
    ["2gib", 2 * 1024 ** 3],
  ])("the size %s is read", (text, bytes) => {
    expect(configOf({ "index-max-bytes": text }).indexMaxBytes).toBe(bytes);
  });

  it.each([
    ["0s", 0],
    ["250ms", 250],
    ["1.5s", 1500],
    ["2m", 120_000],
    ["0.5h", 1_800_000],
  ])("the duration %s is read", (text, ms) => {
    expect(configOf({ "drain-timeout": text }).drainTimeoutMs).toBe(ms);
  });

  it("the error about a wrong duration states the limits of the setting and gives examples", () => {
    const refusalOf = (flag: string, text: string) => {
      try {
        configOf({ [flag]: text });
        return "";
      } catch (error) {
        return String(error);
      }
    };
    const units = "with its unit (ms, s, m, h or d)";
    expect(refusalOf("proposal-lifetime", "500ms")).toContain(
      `a duration from 1s to 3650d ${units}, such as 10s or 12h`,
    );
    expect(refusalOf("drain-timeout", "2h")).toContain(
      `a duration from 0s to 1h ${units}, such as 500ms or 10s`,
    );
  });

  it.each([
    ["true", true],
    ["1", true],
    ["On", true],
    ["false", false],
    ["no", false],
  ])("the boolean value %s is read", (text, value) => {
    expect(configOf({}, { VADEMECUM_ALLOW_RESET: text }).allowReset).toBe(value);
  });

  it.each([
    ["grpc", "50051"],
    ["grpc", "127.0.0.1:65536"],
    ["grpc", "::1:50051"],
    ["http", "127.0.0.1:"],
    ["provider", "mongo"],
    ["embedder", "LOCAL"],
    ["index-max-bytes", "1 bushel"],
    ["index-max-bytes", "1MiB"],
    ["index-max-bytes", "-5"],
    ["graph-threshold", "0"],
    ["graph-threshold", "many"],
    ["time-zone", "two words"],
    ["drain-timeout", "10"],
    ["drain-timeout", "2h"],
    ["log-level", "loud"],
    ["data", "a\0b"],
    ["openai-url", "api.openai.com/v1"],
    ["openai-url", "ftp://host/v1"],
    ["openai-model", "two words"],
    ["openai-dimensions", "0"],
    ["openai-dimensions", "4097"],
    ["openai-dimensions", "1e3"],
    ["openai-timeout", "0s"],
    ["on-moved", "follow"],
    ["move-targets", "https://memory.example.com"],
    ["move-targets", "memory.example.com:0"],
    ["move-targets", "fd00::1"],
    ["forwarders", "memory.example.com"],
    ["forwarders", "10.0.0.0/8"],
    ["guard", "mask"],
    ["guard", "a*b=tag"],
    ["guard", "tag,ann=reject"],
    ["guard", "support-*=tag,support-1/guide=off"],
    ["guard", "ann=tag,ann=tag"],
    ["guard", "=redact"],
    ["guard", "ann/a/b=tag"],
    ["http-allow-host", "*"],
    ["http-allow-host", "*.example.com"],
    ["http-allow-host", "https://memory.example.com"],
    ["http-allow-host", "memory.example.com:8080"],
    ["http-allow-host", "memory.example.com."],
    ["http-allow-host", "höst.example"],
    ["http-allow-origin", "*"],
    ["http-allow-origin", "null"],
    ["http-allow-origin", "https://*.example.com"],
    ["http-allow-origin", "app.example.com"],
    ["http-allow-origin", "localhost:5173"],
    ["http-allow-origin", "file:///"],
    ["http-allow-origin", "https://app.example.com:65536"],
  ])("the error for --%s %s gives the setting, the value and the allowed values", (flag, text) => {
    expect(problemsOf({ [flag]: text })).toEqual([
      expect.stringMatching(new RegExp(`^--${flag}: got '`)),
    ]);
    expect(problemsOf({ [flag]: text })[0]).toContain(`'${text}'; allowed: `);
  });

  it.each(["https://host/v1?", "https://host/v1#"])(
    "--openai-url %s is refused, because no path can follow it",
    (url) => {
      expect(problemsOf({ "openai-url": url })).toEqual([
        expect.stringContaining(`--openai-url: got '${url}…'; allowed: `),
      ]);
    },
  );

  it.each([
    ["https://user:quagga@host/v1", "https://…@host/v1"],
    ["https://user:qua/gga@host/v1", "https://…@host/v1"],
    ["quagga@host/v1", "…@host/v1"],
    ["https://host/v1?api_key=quagga", "https://host/v1?…"],
    ["https://host/v1#quagga", "https://host/v1#…"],
  ])("an error hides the key in the URL %s", (url, shown) => {
    for (const flag of ["openai-url", "http-allow-origin"]) {
      expect(problemsOf({ [flag]: url })).toEqual([
        expect.stringContaining(`--${flag}: got '${shown}'; allowed: `),
      ]);
    }
  });

  it.each([
    ["https://app.example.com", ["https://app.example.com"]],
    ["http://localhost:5173", ["http://localhost:5173"]],
    ["http://[::1]:3000", ["http://[::1]:3000"]],
    [
      "https://a.example, https://b.example:8443,https://a.example",
      ["https://a.example", "https://b.example:8443"],
    ],
  ])("the origins %s are read", (text, origins) => {
    expect(configOf({}, { VADEMECUM_HTTP_ALLOW_ORIGIN: text }).httpAllowedOrigins).toEqual(origins);
  });

  it.each([
    ["https://app.example.com/", "https://app.example.com"],
    ["HTTPS://App.Example.com", "https://app.example.com"],
    ["https://app.example.com:443", "https://app.example.com"],
    ["http://localhost:5173/index.html?a=b", "http://localhost:5173"],
    ["https://bücher.example", "https://xn--bcher-kva.example"],
  ])(
    "the origin %s, which no browser sends, is refused with the form that browsers send",
    (text, origin) => {
      const [problem] = problemsOf({ "http-allow-origin": `https://a.example,${text}` });
      expect(problem).toMatch(/^--http-allow-origin: got '/);
      expect(problem).toContain(`write '${origin}'`);
    },
  );

  it("the error for the origin * gives the reason", () => {
    expect(problemsOf({ "http-allow-origin": "*" })).toEqual([
      expect.stringMatching(
        /^--http-allow-origin: got '\*'; allowed: exact origins .* any page .* read and delete every memory$/,
      ),
    ]);
  });

  it("an error names the environment variable with the wrong value", () => {
    expect(problemsOf({}, { VADEMECUM_INSECURE: "maybe" })).toEqual([
      "VADEMECUM_INSECURE: got 'maybe'; allowed: true or false (also 1, on, yes and 0, off, no)",
    ]);
  });

  it("one error lists all problems of a configuration", () => {
    expect(
      problemsOf({ grpc: "nowhere", provider: "mongo" }, { VADEMECUM_LOG_LEVEL: "loud" }),
    ).toHaveLength(3);
  });

  it("the error for an unknown provider names the known providers", () => {
    expect(problemsOf({ provider: "mongo" })).toEqual([
      "--provider: got 'mongo'; allowed: level, memory, postgres",
    ]);
  });

  it("images need the provider level, because other servers cannot be told of deletions", () => {
    expect(problemsOf({ provider: "memory", images: "on" })).toEqual([
      "--images: got 'on'; allowed with --provider memory: off",
    ]);
    expect(problemsOf({ provider: "memory", images: "off" })).toEqual([]);
  });

  it("an address that other machines can reach requires credentials and TLS, or --insecure", () => {
    for (const address of [
      "0.0.0.0:50051",
      "[::]:50051",
      "192.168.1.5:50051",
      "memory.example:50051",
      "128.0.0.1:50051",
    ]) {
      const [problem] = problemsOf({ grpc: address });
      expect(problem).toContain(`--grpc: got '${address}', which other machines can reach`);
      expect(problem).toContain(
        "needs credentials (--credentials FILE, or --jwt-jwks FILE) and TLS",
      );
      expect(problem).toContain("--insecure");
      const secured = { credentials: "c.json", "tls-cert": "cert.pem", "tls-key": "key.pem" };
      expect(problemsOf({ grpc: address, ...secured })).toEqual([]);
      expect(problemsOf({ grpc: address, credentials: "c.json" })[0]).toContain("needs TLS");
      expect(configOf({ grpc: address, insecure: "true" }).insecure).toBe(true);
    }
    expect(problemsOf({ http: "0.0.0.0:80" })[0]).toContain("--http: got '0.0.0.0:80'");
  });

  it("every loopback address is allowed without --insecure", () => {
    for (const address of ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "localhost:1", "LocalHost:1"]) {
      expect(problemsOf({ grpc: address, http: address })).toEqual([]);
    }
  });

  it("--tls-cert requires --tls-key, and --tls-key requires --tls-cert", () => {
    expect(problemsOf({ "tls-cert": "cert.pem" })).toEqual([
      "--tls-key: missing, but --tls-cert is given; allowed: both, for TLS, or neither",
    ]);
    expect(problemsOf({ "tls-key": "key.pem" })).toEqual([
      "--tls-cert: missing, but --tls-key is given; allowed: both, for TLS, or neither",
    ]);
    expect(problemsOf({ "tls-cert": "cert.pem", "tls-key": "key.pem" })).toEqual([]);
  });

  it("tokens require --jwt-jwks, --jwt-issuer and --jwt-audience together", () => {
    expect(problemsOf({ "jwt-jwks": "keys.json" })).toEqual([
      "--jwt-issuer, --jwt-audience: missing, but --jwt-jwks is given; allowed: all three, for tokens, or none",
    ]);
    const rules = { "jwt-jwks": "keys.json", "jwt-issuer": "us", "jwt-audience": "them" };
    expect(problemsOf(rules)).toEqual([]);
  });

  it("--tls-client-ca requires TLS and a credentials file", () => {
    const [problem] = problemsOf({ "tls-client-ca": "ca.pem" });
    expect(problem).toContain("--tls-client-ca: needs --tls-cert and --tls-key, and --credentials");
  });

  it("the URL of an API can end with a slash", () => {
    for (const url of ["http://localhost:11434/v1", "http://localhost:11434/v1/"]) {
      expect(configOf({ "openai-url": url }).openaiUrl).toBe("http://localhost:11434/v1");
    }
  });

  it("the embedder onnx requires a model", () => {
    expect(problemsOf({ embedder: "onnx" })).toEqual([
      expect.stringMatching(/^--onnx-model: missing, but --embedder onnx needs it; allowed: /),
    ]);
    expect(problemsOf({ embedder: "onnx", "onnx-model": "folder" })).toEqual([]);
  });

  it("the key of the embeddings endpoint comes only from the environment, and no error shows it", () => {
    expect(configOf({ "openai-key": "from-flag" }, {}).openaiKey).toBeUndefined();
    expect(
      configOf({ "openai-key": "from-flag" }, { VADEMECUM_OPENAI_KEY: "sk-1" }).openaiKey,
    ).toBe("sk-1");
    for (const key of ["sk-1\n", "sk 1", "sk-é"]) {
      expect(problemsOf({}, { VADEMECUM_OPENAI_KEY: key })).toEqual([
        "VADEMECUM_OPENAI_KEY: got a value that is not shown; " +
          "allowed: ASCII letters, digits and punctuation, without white space",
      ]);
    }
  });

  it("calibrate refuses an embedder that needs no calibration", () => {
    const read = (flags: Record<string, string>) =>
      readCalibrateConfig(new Map(Object.entries(flags)), {});
    expect(read({ embedder: "openai" }).embedder).toBe("openai");
    expect(() => read({})).toThrow(
      "--embedder: got 'local', which needs no calibration; allowed: onnx, openai",
    );
    expect(() => read({ embedder: "onnx" })).toThrow("--onnx-model: missing");
  });

  it("the parser of each setting accepts the default of the setting", () => {
    for (const { defaultText, parse, fallback } of Object.values(serverSettings)) {
      if (defaultText !== undefined) expect(parse(defaultText)).toEqual(fallback());
    }
  });
});
