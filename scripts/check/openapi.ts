import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import { loadDocuments } from "../openapi/load-documents.ts";

const run = promisify(execFile);

/** A finding of redocly. */
type Problem = Readonly<{
  ruleId: string;
  message: string;
  location: readonly Readonly<{ pointer?: string }>[];
}>;

/** The contract has paths that only the order of their routes tells apart. */
const config = { extends: ["recommended"], rules: { "no-ambiguous-paths": "off" } };

/**
 * Whether a finding is about a WebSocket, which OpenAPI cannot describe: its operation answers 101
 * and no 2xx, and only the operation's own field `x-websocket` refers to the frames.
 */
const isOfSocket = ({ ruleId, location }: Problem): boolean => {
  const pointer = location[0]?.pointer ?? "";
  if (ruleId === "operation-2xx-response") return pointer.endsWith("~1ws/get/responses");
  return ruleId === "no-unused-components" && /\/Support(?:Client|Server)Frame$/.test(pointer);
};

/** Lints a file with redocly's recommended rules. Nothing is sent to redocly. */
async function lint(file: string, configFile: string): Promise<string[]> {
  const args = ["lint", file, `--config=${configFile}`, "--format=json", "--max-problems=1000"];
  const { stdout, stderr } = await run("redocly", args, {
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  }).catch((error: unknown) => Object(error)); // redocly's exit code says that it found something
  if (!String(stdout).startsWith("{")) return [`redocly: ${stdout}${stderr}`];
  const problems: Problem[] = JSON.parse(stdout).problems;
  return problems
    .filter((problem) => !isOfSocket(problem))
    .map(({ ruleId, message, location: [place] }) => {
      return `${basename(file)} ${place?.pointer ?? ""}: ${message} (${ruleId})`;
    });
}

/** Validates a file against the JSON Schema of OpenAPI 3.1. */
async function validate(file: string): Promise<string[]> {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(readFileSync(file, "utf8")));
  return valid ? [] : [`${basename(file)}: ${JSON.stringify(errors)}`];
}

type BodyWithExample = Readonly<{
  content?: Readonly<Record<string, Readonly<{ example?: unknown }>>>;
}>;

type OperationWithExamples = Readonly<{
  requestBody?: BodyWithExample;
  responses: Readonly<Record<string, BodyWithExample>>;
}>;

/** Lists the bodies without an example. Redocly checks that each example matches its schema. */
function findMissingExamples(name: string, text: string): string[] {
  const paths: Record<string, Record<string, OperationWithExamples>> = JSON.parse(text).paths;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, responses }]) =>
      [requestBody, responses[200], responses[201]].filter(lacksExample).map((message) => {
        const part = message === requestBody ? "request" : "response";
        return `${name}.json ${method} ${path}: the ${part} has no example. Run npm run openapi:examples.`;
      }),
    ),
  );
}

const lacksExample = (message: BodyWithExample | undefined): boolean =>
  ["application/json", "text/csv"].some((type) => {
    const content = message?.content?.[type];
    return content !== undefined && !("example" in content);
  });

const workFolder = mkdtempSync(join(tmpdir(), "duka-openapi-"));
try {
  const documents = Object.entries(await loadDocuments());
  const files = documents.map(([name, text]) => {
    const file = join(workFolder, `${name}.json`);
    writeFileSync(file, text);
    return file;
  });
  const configFile = join(workFolder, "redocly.yaml");
  writeFileSync(configFile, JSON.stringify(config));
  const checks = files.flatMap((file) => [validate(file), lint(file, configFile)]);
  const missing = documents.flatMap(([name, text]) => findMissingExamples(name, text));
  const findings = [...missing, ...(await Promise.all(checks)).flat()];
  for (const finding of findings) console.log(finding);
  console.log(`OpenAPI documents: ${files.length} files, findings: ${findings.length}`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  rmSync(workFolder, { recursive: true });
}
