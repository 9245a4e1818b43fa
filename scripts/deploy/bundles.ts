import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root, wranglerBin, wranglerEnv } from "../dev/places.ts";
import { scriptAtStart } from "./start.ts";
import { deployOrder } from "./workers.ts";

const kib = 1_024;
const limit = 1_024 * kib;

/**
 * Builds all Workers without deploying them; 1 when one fails, is over 1 MiB gzipped, or evaluates
 * more than its share of script when it starts.
 */
export async function buildAll(): Promise<number> {
  const built = await Promise.all(deployOrder.map(build));
  for (const worker of built) console.log(lineOf(worker));
  return built.every(({ sizes }) => sizes !== null && excessOf(sizes) === "") ? 0 : 1;
}

/** Bytes: what is uploaded, gzipped, and the script that is evaluated before the first request. */
type Sizes = Readonly<{ gzipped: number; start: number; startLimit: number }>;

type Built = Readonly<{ name: string; sizes: Sizes | null; output: string }>;

function lineOf({ name, sizes, output }: Built): string {
  if (sizes === null) return `${name.padEnd(18)} FAILED\n${output}`;
  const { gzipped, start } = sizes;
  return `${name.padEnd(18)} ${kibOf(gzipped)} gzipped ${kibOf(start)} at start${excessOf(sizes)}`;
}

const kibOf = (bytes: number) => `${(bytes / kib).toFixed(1).padStart(8)} KiB`;

const excessOf = ({ gzipped, start, startLimit }: Sizes): string =>
  [
    ...(gzipped > limit ? ["  OVER 1 MiB"] : []),
    ...(start > startLimit ? [`  OVER ${startLimit / kib} KiB AT START`] : []),
  ].join("");

function build({ name, config, startKib }: (typeof deployOrder)[number]): Promise<Built> {
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
      const sizesOf = () => ({
        gzipped: gzippedSize(folder),
        start: scriptAtStart(JSON.parse(readFileSync(metafile, "utf8"))),
        startLimit: startKib * kib,
      });
      resolve({ name, sizes: code === 0 ? sizesOf() : null, output });
    });
  });
}

const gzippedSize = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(js|mjs|wasm)$/.test(file))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
