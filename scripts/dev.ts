import { mkdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { copyApiReference } from "./dev/api-reference.ts";
import { buildConsole } from "./dev/console.ts";
import { applyMigrations, isCreatedByOtherMigrations, moveToPast } from "./dev/databases.ts";
import { startDemoServer } from "./dev/demo-server.ts";
import { addBackgroundVars, writeDevVars } from "./dev/dev-vars.ts";
import { formatGreeting } from "./dev/greeting.ts";
import { keepRunning } from "./dev/keep-running.ts";
import { stateDir } from "./dev/paths.ts";
import {
  clearState,
  demoExists,
  readDemo,
  readDemoPort,
  writeDemo,
  writeDemoPort,
} from "./dev/state.ts";
import { findFreePort, fireCron, isPortFree, startWorkers } from "./dev/workers.ts";
import type { Demo } from "./seed/demo.ts";
import { seedDemoShops } from "./seed.ts";

const { values: options } = parseArgs({ options: { reset: { type: "boolean", default: false } } });
const requestedPort = Number(process.env.PORT ?? 8787);
const started = performance.now();

if (!Number.isInteger(requestedPort) || requestedPort < 0 || requestedPort > 65_535)
  fail(`PORT must be a number from 0 to 65535, not ${process.env.PORT}. 0 takes any free port.`);
const port = requestedPort || (await findFreePort());
const origin = `http://localhost:${port}`;
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
await buildConsole();

const demoServer = await startDemoServer(readDemoPort(stateDir));
addBackgroundVars({ MAILBOX_URL: `${demoServer.url}messages`, PUBLIC_URL: origin });
const workerOptions = { port, stateDir, demoKeysUrl: demoServer.url };
let workers = startWorkers(workerOptions);
let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    isStopping = true;
    void workers.stop().then(() => process.exit(0));
  });
}

// Both run in parallel, because no Worker opens a database before its first request.
await Promise.all([waitForFirstStart(), applyMigrations(stateDir)]);
await seedMissingDemo();
workers.forwardLogs();
fireCron(origin);
await keepRunning({
  isHealthy: async () => isStopping || workers.isHealthy(),
  restart: restartWorkers,
  pause,
  now: () => performance.now(),
  report: (message) => console.log(message),
});
await workers.stop();
process.exit(1);

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

async function waitForFirstStart(): Promise<void> {
  try {
    await workers.waitUntilReady();
  } catch (error) {
    console.error(workers.recentLines().join("\n"));
    fail(String(error));
  }
}

async function restartWorkers(): Promise<void> {
  await workers.stop();
  workers = startWorkers(workerOptions);
  workers.forwardLogs();
  await workers.waitUntilReady();
}

/**
 * Creates the demo shops if they do not exist. After a failure the Workers keep running for
 * debugging.
 */
async function seedMissingDemo(): Promise<void> {
  try {
    const stored = readDemo(stateDir);
    const operatorToken = variables.OPERATOR_TOKEN ?? "";
    const isSeeded = stored !== null && (await demoExists(stored, origin));
    const demo = isSeeded ? stored : await seedDemo(operatorToken);
    demoServer.publish(demo);
    console.log(formatGreeting({ origin, demo, seconds: (performance.now() - started) / 1000 }));
  } catch (error) {
    console.error(workers.recentLines().join("\n"));
    console.error(`The demo shops could not be seeded: ${String(error)}`);
    console.error(`The Workers still run at ${origin}. Ctrl-C ends them.`);
  }
}

async function seedDemo(operatorToken: string): Promise<Demo> {
  const service = { origin, operatorToken, receiverUrl: demoServer.url };
  const demo = await seedDemoShops(service, (orders) => moveToPast(stateDir, orders));
  writeDemoPort(stateDir, demoServer.port);
  writeDemo(stateDir, demo);
  return demo;
}
