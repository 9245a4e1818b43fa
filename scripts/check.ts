import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";

type Step = Readonly<{ name: string; command: readonly [string, ...string[]] }>;

const root = join(import.meta.dirname, "..");
const atOnce = 2;

const steps: readonly Step[] = [
  { name: "types of the Workers", command: ["tsc", "--project", "tsconfig.json"] },
  { name: "types of the scripts", command: ["tsc", "--project", "tsconfig.node.json"] },
  { name: "types of the frames", command: ["tsc", "--project", "tsconfig.browser.json"] },
  { name: "lint and format", command: ["biome", "ci", "--error-on-warnings"] },
  { name: "import rules", command: ["node", "scripts/check/import-rules.ts"] },
  { name: "unused code", command: ["knip", "--no-progress"] },
  { name: "schema drift", command: ["node", "scripts/check/schema-drift.ts"] },
];

/** Runs a step and tells how it went; the tools come from this project, Node included. */
function run({ name, command: [tool, ...args] }: Step): Promise<boolean> {
  const started = performance.now();
  const path = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
  const child = spawn(tool, args, {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: "pipe",
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => output.push(text));
  }
  return new Promise((resolve) => {
    const finish = (isGood: boolean) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${isGood ? "ok    " : "FAILED"}  ${name.padEnd(22)} ${seconds.padStart(5)} s`);
      if (!isGood) console.log(`${output.join("").trim()}\n`);
      resolve(isGood);
    };
    child.on("error", (error) => output.push(error.message));
    child.on("close", (code) => finish(code === 0));
  });
}

async function runInTurn(waiting: Step[]): Promise<boolean> {
  let isGood = true;
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    isGood = (await run(step)) && isGood;
  }
  return isGood;
}

const waiting = [...steps];
const lanes = await Promise.all(Array.from({ length: atOnce }, () => runInTurn(waiting)));
process.exitCode = lanes.every(Boolean) ? 0 : 1;
