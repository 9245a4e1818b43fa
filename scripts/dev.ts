import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { copyApiReference } from "./dev/api-reference.ts";
import { applyMigrations, isCreatedByOtherMigrations } from "./dev/databases.ts";
import { writeDevVars } from "./dev/dev-vars.ts";
import { formatGreeting } from "./dev/greeting.ts";
import { stateDir } from "./dev/paths.ts";
import { clearState, demoExists, readDemo, writeDemo } from "./dev/state.ts";
import { isPortFree, startWorkers, type Workers } from "./dev/workers.ts";
import { seedDemoShops } from "./seed.ts";

const { values: options } = parseArgs({ options: { reset: { type: "boolean", default: false } } });
const port = Number(process.env.PORT ?? 8787);
const origin = `http://localhost:${port}`;
const started = performance.now();

if (!Number.isInteger(port) || port < 1 || port > 65_535)
  fail(`PORT must be a number from 1 to 65535, not ${process.env.PORT}.`);
if (!(await isPortFree(port))) {
  fail(`Port ${port} is taken. Use another one: PORT=${port + 1} npm run dev`);
}
if (options.reset) {
  clearState(stateDir);
} else if (isCreatedByOtherMigrations(stateDir)) {
  console.log(
    `The state in ${stateDir} was created by other migrations; starting with empty databases.`,
  );
  clearState(stateDir);
}
mkdirSync(stateDir, { recursive: true });
const variables = writeDevVars();
copyApiReference();

const workers = startWorkers({ port, stateDir });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => void workers.stop().then(() => process.exit(0)));
}
void workers.exited.then((code) => process.exit(code));

// Both run in parallel, because no Worker opens a database before its first request.
await Promise.all([applyMigrations(stateDir), workers.waitUntilReady(origin)]);
await seedMissingDemo(workers);
workers.forwardLogs();
workers.fireCron(origin);

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/**
 * Creates the demo shops if they do not exist. After a failure the Workers keep running for
 * debugging.
 */
async function seedMissingDemo({ recentLines }: Workers): Promise<void> {
  try {
    const stored = readDemo(stateDir);
    const operatorToken = variables.OPERATOR_TOKEN ?? "";
    const isSeeded = stored !== null && (await demoExists(stored, origin));
    const demo = isSeeded ? stored : await seedDemoShops({ origin, operatorToken });
    if (!isSeeded) writeDemo(stateDir, demo);
    console.log(formatGreeting({ origin, demo, seconds: (performance.now() - started) / 1000 }));
  } catch (error) {
    console.error(recentLines().join("\n"));
    console.error(`The demo shops could not be seeded: ${String(error)}`);
    console.error(`The Workers still run at ${origin}. Ctrl-C ends them.`);
  }
}
