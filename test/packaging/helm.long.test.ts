import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, execPath } from "node:process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parseAllDocuments } from "yaml";
import { projectFolder } from "./dockerfile.js";

const run = promisify(execFile);
const deploy = join(projectFolder, "deploy");
const chart = join(deploy, "helm", "vademecum");

/** An object of Kubernetes. */
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

let helm: string | undefined;
beforeAll(() => {
  const script = join(projectFolder, "scripts", "go-tools.mjs");
  execFileSync(execPath, [script], { stdio: ["ignore", "ignore", "inherit"] });
  const folder = execFileSync(execPath, [script, "--folder"], { encoding: "utf8" }).trim();
  const program = join(folder, "helm");
  helm = existsSync(program) ? program : undefined;
}, 600_000);

const flagsOf = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).flatMap(([name, value]) => ["--set", `${name}=${value}`]);

/** Renders the chart as a release with this name. */
async function render(
  release: string,
  values: Readonly<Record<string, string>> = {},
): Promise<Manifest[]> {
  const args = ["template", release, chart, "--kube-version", "1.33.0", ...flagsOf(values)];
  const { stdout } = await run(helm ?? "", args);
  return manifestsIn(stdout);
}

function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((it) => it !== null);
}

const keyOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
const byKey = (manifests: readonly Manifest[]) =>
  Object.fromEntries(manifests.map((it) => [keyOf(it), it]));

/** The manifests of deploy/kubernetes that are no secrets. */
const written = readdirSync(join(deploy, "kubernetes"))
  .flatMap((file) => manifestsIn(readFileSync(join(deploy, "kubernetes", file), "utf8")))
  .filter(({ kind }) => kind !== "Secret");

describe("the Helm chart", () => {
  it("the Helm chart passes the strict linter of Helm", async ({ skip }) => {
    skip(helm === undefined, "Go is not installed");
    const { stdout } = await run(helm ?? "", ["lint", "--strict", chart]);
    expect(stdout).toContain("0 chart(s) failed");
  });

  it("the Helm chart makes the objects of deploy/kubernetes", async ({ skip }) => {
    skip(helm === undefined, "Go is not installed");
    const rendered = byKey(await render("vademecum"));
    const expected = byKey(written);
    const { "ConfigMap vademecum-envoy": envoy, ...others } = rendered;
    expect(envoy).toMatchObject({
      data: { "envoy.yaml": readFileSync(join(deploy, "envoy.yaml"), "utf8") },
    });
    for (const manifest of Object.values(others)) removeAdditions(manifest);
    expect(others).toEqual(expected);
  });

  it("the objects of the Helm chart are valid by the strict schemas of Kubernetes", async ({
    skip,
  }) => {
    skip(helm === undefined, "Go is not installed");
    const tools = execFileSync(execPath, [join(projectFolder, "scripts", "deployment-tools.mjs")], {
      encoding: "utf8",
    }).trim();
    const folder = await mkdtemp(join(tmpdir(), "vademecum-helm-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, "rendered.yaml");
    const args = ["template", "vademecum", chart, "--kube-version", "1.33.0"];
    const { stdout } = await run(helm ?? "", [...args, "--set", "metrics.enabled=true"]);
    await writeFile(file, stdout);
    const validated = await run("python3", ["-m", "kubernetes_validate", "--strict", file], {
      env: { ...env, PYTHONPATH: tools },
    });
    const passed = (validated.stdout + validated.stderr).match(/passed for resource \w+/g) ?? [];
    expect(passed).toHaveLength(manifestsIn(stdout).length);
  });

  it("the Helm chart names everything after its release", async ({ skip }) => {
    skip(helm === undefined, "Go is not installed");
    const rendered = await render("memory", {
      "metrics.enabled": "true",
      "metrics.serviceMonitor.enabled": "true",
    });
    for (const { metadata } of rendered) expect(metadata.name).toMatch(/^memory(?:-envoy)?$/);
    const text = JSON.stringify(rendered.filter(({ kind }) => kind !== "ConfigMap"));
    expect(text.match(/"app":"(?!memory)[^"]*"/g)).toBeNull();
    expect(JSON.stringify(rendered)).toContain("address: memory, port_value: 50051");
  });

  it("the Helm chart has a ServiceMonitor, a port and a rule for metrics if they are on", async ({
    skip,
  }) => {
    skip(helm === undefined, "Go is not installed");
    const without = await render("vademecum");
    expect(JSON.stringify(without.filter(({ kind }) => kind !== "ConfigMap"))).not.toContain(
      "metrics",
    );
    const rendered = byKey(
      await render("vademecum", {
        "metrics.enabled": "true",
        "metrics.serviceMonitor.enabled": "true",
        "metrics.serviceMonitor.labels.release": "prometheus",
      }),
    );
    expect(rendered["ServiceMonitor vademecum"]).toMatchObject({
      metadata: { labels: { release: "prometheus" } },
      spec: {
        selector: { matchLabels: { app: "vademecum" } },
        endpoints: [{ port: "metrics", path: "/metrics" }],
      },
    });
    expect(rendered["Service vademecum"]).toMatchObject({
      metadata: { labels: { app: "vademecum" } },
      spec: { ports: [{}, {}, { name: "metrics", port: 9464 }] },
    });
    expect(JSON.stringify(rendered["NetworkPolicy vademecum"])).toContain(
      '"ports":[{"port":"metrics","protocol":"TCP"}]',
    );
    expect(JSON.stringify(rendered["Deployment vademecum"])).toContain(
      '{"name":"VADEMECUM_METRICS","value":"0.0.0.0:9464"}',
    );
  });

  it.each([
    ["an unknown value", { replica: "2" }],
    ["a password in the address", { "postgres.url": "postgres://u:secret@db/vademecum" }],
    ["a key among the settings", { "settings.OPENAI_KEY": "secret" }],
    ["no server", { replicas: "0" }],
  ])("the Helm chart refuses %s", async (_, values) => {
    if (helm === undefined) return;
    await expect(render("vademecum", values as Record<string, string>)).rejects.toThrow(
      "values don't meet the specifications of the schema",
    );
  });

  it("the Helm chart has the version of the server", () => {
    const { version } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")) as {
      version: string;
    };
    const text = readFileSync(join(chart, "Chart.yaml"), "utf8");
    expect(text).toContain(`\nversion: ${version}\nappVersion: ${version}\n`);
  });
});

/** Removes what the chart adds to the manifests: a policy, a checksum and a label. */
function removeAdditions(manifest: Manifest): void {
  const { kind, metadata } = manifest as {
    kind: string;
    metadata: { labels?: unknown };
  };
  if (kind === "Service") delete metadata.labels;
  const { spec } = manifest as unknown as {
    spec: {
      template?: {
        metadata: { annotations?: unknown };
        spec: { containers: Pull[]; initContainers?: Pull[] };
      };
    };
  };
  if (spec.template === undefined) return;
  delete spec.template.metadata.annotations;
  const { containers, initContainers = [] } = spec.template.spec;
  for (const container of [...containers, ...initContainers]) delete container.imagePullPolicy;
}

interface Pull {
  imagePullPolicy?: string;
}
