import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";

// Checks the typed client: that it agrees with the documents, its sizes, and that its package can
// be installed and imported.

const root = join(import.meta.dirname, "../..");
const sdk = join(root, "sdk");
const generated = join(sdk, "src/generated");

/** The largest size of an entry, in bytes, minified and gzipped. */
const maxBytes = { storefront: 6 * 1024, business: 10 * 1024, console: 6 * 1024 } as const;

/** The generated files that differ from what the documents give. */
function findDrift(): string[] {
  const folder = mkdtempSync(join(tmpdir(), "duka-sdk-"));
  try {
    const failure = run("node", [join(sdk, "generate/generate.ts"), folder]);
    if (failure !== null) return [failure];
    const names = new Set([...readdirSync(folder), ...readdirSync(generated)]);
    const differing = [...names].filter(
      (name) => textOf(join(folder, name)) !== textOf(join(generated, name)),
    );
    return differing.map(
      (name) => `sdk/src/generated/${name} differs from the documents; npm run sdk:generate`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Null for a file that does not exist. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** The size of an entry with all that it imports, as a page loads it. */
async function measure(entry: string): Promise<number> {
  const result = await build({
    root: sdk,
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      rolldownOptions: {
        input: join(sdk, `src/${entry}.ts`),
        preserveEntrySignatures: "strict",
      },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  const chunks = outputs.flatMap((one) => ("output" in one ? one.output : []));
  const code = chunks.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
  return gzipSync(code, { level: 9 }).length;
}

async function findOversized(): Promise<string[]> {
  const lines: string[] = [];
  for (const [entry, limit] of Object.entries(maxBytes)) {
    const bytes = await measure(entry);
    console.log(`@duka/sdk/${entry}: ${bytes} bytes gzipped, at most ${limit}`);
    if (bytes > limit) lines.push(`@duka/sdk/${entry} has ${bytes} bytes gzipped, not ${limit}.`);
  }
  return lines;
}

/** Packs the client and lets publint and attw look at the package. */
function findPackageFaults(): string[] {
  const folder = mkdtempSync(join(tmpdir(), "duka-sdk-"));
  try {
    const failure = run("npm", ["pack", "--pack-destination", folder]);
    if (failure !== null) return [failure];
    const tarball = readdirSync(folder).map((name) => join(folder, basename(name)))[0] ?? "";
    // The package is ESM: `require` of it is not offered, and Node 10 cannot load it.
    const tools = [
      run("publint", ["--strict", "--pack", "npm"]),
      run("attw", [tarball, "--profile", "esm-only", "--no-emoji"]),
    ];
    return tools.filter((line) => line !== null);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a tool in the client's folder. Returns its output when it fails. */
function run(command: string, args: readonly string[]): string | null {
  const bin = ["sdk/node_modules/.bin", "node_modules/.bin"].map((path) => join(root, path));
  const path = [...bin, process.env.PATH].join(delimiter);
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: sdk,
    env: { ...process.env, PATH: path, NODE_NO_WARNINGS: "1" },
    encoding: "utf8",
  });
  if (error) return `${command}: ${error.message}`;
  return status === 0 ? null : `${command} ${args[0]}: ${`${stdout}${stderr}`.trim()}`;
}

const faults = [...findDrift(), ...(await findOversized()), ...findPackageFaults()];
for (const line of faults) console.log(line);
process.exitCode = faults.length > 0 ? 1 : 0;
