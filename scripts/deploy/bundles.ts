import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root, wranglerBin, wranglerEnv } from "../dev/places.ts";
import { deployOrder } from "./workers.ts";

const kib = 1_024;
const limit = 1_024 * kib;

/** Builds all Workers without deploying them; 1 when one fails or is over 1 MiB gzipped. */
export async function buildAll(): Promise<number> {
  const built = await Promise.all(deployOrder.map(build));
  for (const { name, bytes, output } of built) {
    if (bytes === null) console.log(`${name.padEnd(18)} FAILED\n${output}`);
    else console.log(`${name.padEnd(18)} ${sizeOf(bytes)}${bytes > limit ? "  OVER 1 MiB" : ""}`);
  }
  return built.every(({ bytes }) => bytes !== null && bytes <= limit) ? 0 : 1;
}

const sizeOf = (bytes: number) => `${(bytes / kib).toFixed(1).padStart(8)} KiB gzipped`;

type Built = Readonly<{ name: string; bytes: number | null; output: string }>;

function build({ name, config }: (typeof deployOrder)[number]): Promise<Built> {
  const folder = join(root, "dist", name);
  const args = ["deploy", "--dry-run", "--outdir", folder, "-c", config];
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
      resolve({ name, bytes: code === 0 ? gzippedSize(folder) : null, output });
    });
  });
}

const gzippedSize = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(js|mjs|wasm)$/.test(file))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
