import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root, wranglerBin, wranglerEnv } from "../dev/paths.ts";
import { startupScriptBytes } from "./startup-script.ts";
import { deployOrder } from "./workers.ts";

const kib = 1_024;
const maxGzippedBytes = 1_024 * kib;

/**
 * Builds all Workers without deploying them. Returns 1 when a build fails, when a Worker exceeds 1
 * MiB gzipped, or when its script at start-up exceeds `maxStartupKib`.
 */
export async function buildWorkers(): Promise<number> {
  const builds = await Promise.all(deployOrder.map(buildWorker));
  for (const build of builds) console.log(formatBuild(build));
  return builds.every(({ sizes }) => sizes !== null && formatExcess(sizes) === "") ? 0 : 1;
}

/**
 * The size in bytes of the gzipped upload, and of the script that a Worker evaluates at start-up.
 */
type BundleSizes = Readonly<{ gzipped: number; startup: number; maxStartup: number }>;

type WorkerBuild = Readonly<{ name: string; sizes: BundleSizes | null; output: string }>;

function formatBuild({ name, sizes, output }: WorkerBuild): string {
  if (sizes === null) return `${name.padEnd(18)} FAILED\n${output}`;
  const { gzipped, startup } = sizes;
  return `${name.padEnd(18)} ${formatKib(gzipped)} gzipped ${formatKib(startup)} at start-up${formatExcess(sizes)}`;
}

const formatKib = (bytes: number) => `${(bytes / kib).toFixed(1).padStart(8)} KiB`;

const formatExcess = ({ gzipped, startup, maxStartup }: BundleSizes): string =>
  [
    ...(gzipped > maxGzippedBytes ? ["  OVER 1 MiB"] : []),
    ...(startup > maxStartup ? [`  OVER ${maxStartup / kib} KiB AT START-UP`] : []),
  ].join("");

function buildWorker({
  name,
  config,
  maxStartupKib,
}: (typeof deployOrder)[number]): Promise<WorkerBuild> {
  const folder = join(root, "dist", name);
  const metafile = join(folder, "metafile.json");
  const args = ["deploy", "--dry-run", "--outdir", folder, "--metafile", metafile, "-c", config];
  const child = spawn(process.execPath, [wranglerBin, ...args], {
    cwd: root,
    env: { ...process.env, ...wranglerEnv },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    child.once("close", (code) => {
      const readSizes = () => ({
        gzipped: gzippedSize(folder),
        startup: startupScriptBytes(JSON.parse(readFileSync(metafile, "utf8"))),
        maxStartup: maxStartupKib * kib,
      });
      resolve({ name, sizes: code === 0 ? readSizes() : null, output });
    });
  });
}

const gzippedSize = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(js|mjs|wasm)$/.test(file))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
