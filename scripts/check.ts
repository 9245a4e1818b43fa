import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";

type Step = Readonly<{ name: string; command: readonly [string, ...string[]] }>;

const root = join(import.meta.dirname, "..");
const maxConcurrency = 2;

const steps: readonly Step[] = [
  { name: "types of the Workers", command: ["tsc", "--project", "tsconfig.json"] },
  { name: "types of the scripts", command: ["tsc", "--project", "tsconfig.node.json"] },
  { name: "types of Link's pages", command: ["tsc", "--project", "tsconfig.browser.json"] },
  { name: "types of the SDK", command: ["tsc", "--project", "sdk/tsconfig.json"] },
  { name: "types of the console", command: ["tsc", "--project", "console/tsconfig.json"] },
  { name: "lint and format", command: ["biome", "ci", "--error-on-warnings"] },
  { name: "import rules", command: ["node", "scripts/check/import-rules.ts"] },
  { name: "names and references", command: ["node", "scripts/check/language.ts"] },
  { name: "spelling", command: ["node", "scripts/check/spelling.ts"] },
  { name: "unused code", command: ["knip", "--no-progress"] },
  { name: "OpenAPI documents", command: ["node", "scripts/check/openapi.ts"] },
  { name: "SDK", command: ["node", "scripts/check/sdk.ts"] },
  { name: "schema drift", command: ["node", "scripts/check/schema-drift.ts"] },
  { name: "migrations", command: ["node", "scripts/check/migrations.ts"] },
];

/**
 * Runs one step of the check with the project's own tools and Node, and prints whether it passed.
 */
function runStep({ name, command: [tool, ...args] }: Step): Promise<boolean> {
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
    const report = (hasPassed: boolean) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(
        `${hasPassed ? "ok    " : "FAILED"}  ${name.padEnd(22)} ${seconds.padStart(5)} s`,
      );
      if (!hasPassed) console.log(`${output.join("").trim()}\n`);
      resolve(hasPassed);
    };
    child.on("error", (error) => output.push(error.message));
    child.on("close", (code) => report(code === 0));
  });
}

/** Runs steps from the queue until it is empty. Returns whether all of these steps passed. */
async function runQueue(queue: Step[]): Promise<boolean> {
  let hasPassed = true;
  for (let step = queue.shift(); step; step = queue.shift()) {
    hasPassed = (await runStep(step)) && hasPassed;
  }
  return hasPassed;
}

const queue = [...steps];
const results = await Promise.all(Array.from({ length: maxConcurrency }, () => runQueue(queue)));
process.exitCode = results.every(Boolean) ? 0 : 1;
