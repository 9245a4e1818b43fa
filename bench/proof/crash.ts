// `npm run proof:crash` lets PROOF_SHOPPERS (40) shoppers buy from `npm run serve`, kills it with
// SIGKILL at random PROOF_KILLS (32) times, and compares orders, charges, stock and events afterwards.
// Exits with 1 when anything disagrees.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { loadBuild } from "../../scripts/serve/build/build.ts";
import { createStockedShop } from "../create-stocked-shop.ts";
import { percentile } from "../load.ts";
import { formatReconciliation, reconcile } from "../load-reconciliation.ts";
import { simulateShoppers } from "../load-shoppers.ts";
import { checkOperatorBooks } from "../operator-books.ts";
import { describeMachine } from "../report.ts";
import { startEventReceiver, subscribe } from "./event-receiver.ts";
import { findPort, startServer, waitForResponse } from "./server-process.ts";
import { openShards } from "./stored-state.ts";
import { waitForRest } from "./wait-for-rest.ts";

const shoppers = Number(process.env.PROOF_SHOPPERS ?? 40);
const kills = Number(process.env.PROOF_KILLS ?? 32);
/** Most calls write, because that is what a crash can interrupt. */
const shares = { catalogue: 25, cart: 40, checkout: 30, other: 5 };
/** The server runs at least and at most so long before it is killed. */
const runMs = { min: 300, max: 4_000 };
/** Every fourth time only workerd is killed, and the server starts it again. */
const workerdEvery = 4;

const stateDir = realpathSync(mkdtempSync(join(tmpdir(), "duka-crash-")));
process.once("exit", () => rmSync(stateDir, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

console.log(`${describeMachine()}\n${shoppers} shoppers, ${kills} kills\n`);
await loadBuild(console.log);
const port = await findPort();
const receiver = await startEventReceiver();
let server = await startServer(stateDir, port);
const { origin } = server;
const shop = await createStockedShop(origin);
await subscribe(origin, shop.secretKey, receiver.url);

let orders = 0;
const startTimes: number[] = [server.startMs];
const shopping = { isOver: false };
const started = performance.now();
const [results] = await Promise.all([
  simulateShoppers(origin, shop, {
    ...{ shoppers, shares, isKilled: true },
    isOver: () => shopping.isOver,
    onOrder: () => {
      orders += 1;
    },
  }),
  killRepeatedly().finally(() => {
    shopping.isOver = true;
  }),
]);
const seconds = (performance.now() - started) / 1_000;
const rest = await waitForRest(stateDir, shop.businessId, receiver);
const restSeconds = (performance.now() - started) / 1_000 - seconds;
const operatorBooks = await checkOperatorBooks(origin, shop.businessId);
await server.stop();
const { databases, close } = openShards(stateDir);
const books = await reconcile(databases, shop.businessId, results.orderIds);
close();
receiver.close();

const findings = [operatorBooks, ...books.findings, ...rest];
console.log(formatReconciliation({ orders: books.orders, findings }));
const ms = (share: number) => percentile({ milliseconds: startTimes }, share).toFixed(0);
const arrivals = receiver.arrivals();
console.log(`
${kills} kills in ${seconds.toFixed(0)} s; ${results.orderIds.length} orders, ${results.refused} refused by a rule, ${results.errors.length} errors
${startTimes.length} starts: ${ms(0.5)} ms to the first response at the median, ${ms(1)} ms at most
${new Set(arrivals).size} events arrived, ${arrivals.length - new Set(arrivals).size} of them again; the last ${restSeconds.toFixed(0)} s after the shoppers`);
for (const error of results.errors.slice(0, 5)) console.error(error);
if (findings.some(({ violations }) => violations > 0) || results.errors.length > 0)
  process.exitCode = 1;

async function killRepeatedly(): Promise<void> {
  for (let kill = 1; kill <= kills; kill += 1) {
    await pause(runMs.min + Math.random() * (runMs.max - runMs.min));
    if (kill % workerdEvery === 0) {
      await server.kill("workerd");
      await waitForResponse(new URL("/api/v1/healthz", origin));
    } else {
      await server.kill("server");
      server = await startServer(stateDir, port);
      startTimes.push(server.startMs);
    }
    if (kill % 8 === 0)
      console.log(`${kill} kills, ${orders} orders, ${new Set(receiver.arrivals()).size} events`);
  }
}
