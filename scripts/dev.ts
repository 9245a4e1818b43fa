import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { applyMigrations } from "./dev/databases.ts";
import { demoExists, readDemo, writeDemo } from "./dev/demo-file.ts";
import { greeting } from "./dev/greeting.ts";
import { stateDir } from "./dev/places.ts";
import { isFree } from "./dev/port.ts";
import { fillReference } from "./dev/reference.ts";
import { emptyState } from "./dev/state.ts";
import { copyVariables } from "./dev/variables.ts";
import { startWorkers, type Workers } from "./dev/workers.ts";
import { seed } from "./seed.ts";

const { values: options } = parseArgs({ options: { reset: { type: "boolean", default: false } } });
const port = Number(process.env.PORT ?? 8787);
const origin = `http://localhost:${port}`;
const started = performance.now();

if (!Number.isInteger(port) || port < 1 || port > 65_535)
  fail(`PORT must be a port's number, not ${process.env.PORT}`);
if (!(await isFree(port))) {
  fail(`Port ${port} is taken; choose another one: PORT=${port + 1} npm run dev`);
}
if (options.reset) emptyState(stateDir);
mkdirSync(stateDir, { recursive: true });
const variables = copyVariables();
fillReference();

const workers = startWorkers({ port, stateDir });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => void workers.stop().then(() => process.exit(0)));
}
void workers.ended.then((code) => process.exit(code));

// At once: no Worker opens a database before its first call.
await Promise.all([applyMigrations(stateDir), workers.ready(origin)]);
await seedOnce(workers);
workers.forwardLogs();
workers.fireCron(origin);

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** Seeds a state that has no demo yet; a failure leaves the Workers running, to look into. */
async function seedOnce({ recentLines }: Workers): Promise<void> {
  try {
    const known = readDemo(stateDir);
    const operatorToken = variables.OPERATOR_TOKEN ?? "";
    const isThere = known !== null && (await demoExists(known, origin));
    const demo = isThere ? known : await seed({ origin, operatorToken });
    if (!isThere) writeDemo(stateDir, demo);
    console.log(greeting({ origin, demo, seconds: (performance.now() - started) / 1000 }));
  } catch (error) {
    console.error(recentLines().join("\n"));
    console.error(`The demo shops could not be seeded: ${String(error)}`);
    console.error(`The Workers answer at ${origin} all the same. Ctrl-C ends them.`);
  }
}
