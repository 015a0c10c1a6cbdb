/** A call to write as a program. */
export interface Call {
  /** The path of the method, such as `vademecum.v1.BlockService/ListBlocks`. */
  readonly method: string;
  /** The request as JSON. */
  readonly request: string;
}

/** Where programs call, and whether they need a key. */
export interface Target {
  /** The address of the server, with a slash at its end. */
  readonly url: string;
  readonly needsKey: boolean;
}

/** The languages in which a call can be written, by the names that people see. */
export const programs: Readonly<Record<string, (call: Call, target: Target) => string>> = {
  curl: curlOf,
  Python: pythonOf,
  TypeScript: typeScriptOf,
};

/** The environment variable with the key. A program to share must not contain the key itself. */
const variable = "VADEMECUM_API_KEY";

function curlOf({ method, request }: Call, { url, needsKey }: Target): string {
  return [
    `curl ${url}${method}`,
    `-H 'content-type: application/json'`,
    ...(needsKey ? [`-H "authorization: Bearer $${variable}"`] : []),
    `-d '${request.replaceAll("'", `'\\''`)}'`,
  ].join(" \\\n  ");
}

function pythonOf({ method, request }: Call, { url, needsKey }: Target): string {
  return [
    "import json",
    ...(needsKey ? ["import os"] : []),
    "import urllib.request",
    "",
    `request = ${pythonLiteral(JSON.parse(request), "")}`,
    "call = urllib.request.Request(",
    `    ${JSON.stringify(url + method)},`,
    "    data=json.dumps(request).encode(),",
    `    headers={"content-type": "application/json"${
      needsKey ? `, "authorization": "Bearer " + os.environ["${variable}"]` : ""
    }},`,
    ")",
    "with urllib.request.urlopen(call) as reply:",
    "    print(json.load(reply))",
  ].join("\n");
}

function typeScriptOf({ method, request }: Call, { url, needsKey }: Target): string {
  const key = needsKey ? `, authorization: \`Bearer \${process.env.${variable}}\`` : "";
  return [
    `const request = ${JSON.stringify(JSON.parse(request), null, 2)};`,
    `const reply = await fetch(${JSON.stringify(url + method)}, {`,
    `  method: "POST",`,
    `  headers: { "content-type": "application/json"${key} },`,
    `  body: JSON.stringify(request),`,
    `});`,
    `console.log(await reply.json());`,
  ].join("\n");
}

/** A string of JSON is one of Python, too. */
function pythonLiteral(value: unknown, indent: string): string {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close, parts] = Array.isArray(value)
    ? ["[", "]", value.map((each) => pythonLiteral(each, inner))]
    : [
        "{",
        "}",
        Object.entries(value).map(
          ([name, each]) => `${JSON.stringify(name)}: ${pythonLiteral(each, inner)}`,
        ),
      ];
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}
