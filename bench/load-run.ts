// `npm run load` runs LOAD_SHOPPERS (300) shoppers, who pause for at most LOAD_PAUSE_MS (500) between
// two calls, against the built Workers for LOAD_SECONDS (60). With LOAD_MESSAGES=on the messages about
// their orders are written too, to the log.
// Afterwards compares orders, charges, stock and events in the databases.
// Exits with 1 when a comparison finds a violation or a call failed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations } from "../scripts/dev/databases.ts";
import { buildBundles } from "../scripts/serve/build/bundles.ts";
import { createStockedShop } from "./create-stocked-shop.ts";
import { formatTable } from "./format-table.ts";
import { percentile } from "./load.ts";
import { formatReconciliation, reconcile } from "./load-reconciliation.ts";
import { callKinds, overAfter, type ShopperResults, simulateShoppers } from "./load-shoppers.ts";
import { checkOperatorBooks } from "./operator-books.ts";
import { describeMachine } from "./report.ts";
import { type BenchRuntime, startRuntime } from "./runtime.ts";
import { cpuSecondsOf, memoryMbOf } from "./workerd-process.ts";

const seconds = Number(process.env.LOAD_SECONDS ?? 60);
const shoppers = Number(process.env.LOAD_SHOPPERS ?? 300);
const sampleMs = 500;

const folder = mkdtempSync(join(tmpdir(), "duka-load-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.env.WRANGLER_LOG ??= "error";

console.log(`${describeMachine()}\n${shoppers} shoppers, ${seconds} s\n`);
const bundles = await buildBundles(join(folder, "built"));
const stateDir = join(folder, "state");
await applyMigrations(stateDir);
const runtime = await startRuntime(bundles, stateDir, {
  sendsMessages: process.env.LOAD_MESSAGES === "on",
});
try {
  const { results, reconciliation, usage } = await runShoppers(runtime);
  console.log(formatCalls(results));
  console.log(
    `\n${(countOf(results) / seconds).toFixed(0)} calls/s, ${(results.orderIds.length / seconds).toFixed(1)} orders/s; ` +
      `${results.refused} refused by a rule, ${results.errors.length} errors\n` +
      `repeated catalogue reads: ${cachedShare(results)} without D1\n` +
      `workerd: ${usage.idleMb.toFixed(0)} MB before, ${usage.maxMb.toFixed(0)} MB at most; ` +
      `${usage.cpuSeconds.toFixed(1)} s of CPU, this process ${usage.ownCpuSeconds.toFixed(1)} s\n`,
  );
  console.log(formatReconciliation(reconciliation));
  for (const error of results.errors.slice(0, 5)) console.error(error);
  const hasFailed =
    reconciliation.findings.some(({ violations }) => violations > 0) || results.errors.length > 0;
  if (hasFailed) process.exitCode = 1;
} catch (error) {
  console.error(runtime.recentLines().join("\n"));
  throw error;
} finally {
  await runtime.stop();
}

async function runShoppers(running: BenchRuntime) {
  const shop = await createStockedShop(running.origin);
  const processIds = running.processIds();
  const idleMb = memoryMbOf(processIds);
  let maxMb = idleMb;
  const cpuBefore = cpuSecondsOf(processIds);
  const ownCpuBefore = process.cpuUsage();
  const sampling = setInterval(() => {
    maxMb = Math.max(maxMb, memoryMbOf(processIds));
  }, sampleMs);
  try {
    const results = await simulateShoppers(running.origin, shop, {
      shoppers,
      isOver: overAfter(seconds),
    });
    const ownCpu = process.cpuUsage(ownCpuBefore);
    const usage = {
      ...{ idleMb, maxMb },
      cpuSeconds: cpuSecondsOf(processIds) - cpuBefore,
      ownCpuSeconds: (ownCpu.user + ownCpu.system) / 1_000_000,
    };
    const databases = await running.shopDatabases();
    const books = await checkOperatorBooks(running.origin, shop.businessId);
    const { orders, findings } = await reconcile(databases, shop.businessId, results.orderIds);
    return { results, reconciliation: { orders, findings: [books, ...findings] }, usage };
  } finally {
    clearInterval(sampling);
  }
}

/** The percentage of repeated catalogue reads that the cache served. */
function cachedShare({ repeatedPageReads }: ShopperResults): string {
  const cached = repeatedPageReads.filter(({ d1 }) => d1 === 0).length;
  return `${((100 * cached) / repeatedPageReads.length).toFixed(1)} %`;
}

/**
 * Formats the measured calls by kind. The column "without d1" is the share that needed no D1 query.
 */
function formatCalls({ milliseconds, roundTrips }: ShopperResults): string {
  const rows = callKinds.map((kind) => {
    const measured = { milliseconds: milliseconds[kind] };
    const at = (share: number) => percentile(measured, share).toFixed(1);
    const count = milliseconds[kind].length;
    const trips = roundTrips[kind];
    const without = trips.filter(({ d1 }) => d1 === 0).length / trips.length;
    const each = (sum: number) => (sum / trips.length).toFixed(2);
    return [
      ...[kind, String(count), (count / seconds).toFixed(1), at(0.5), at(0.95), at(0.99)],
      each(trips.reduce((sum, { d1 }) => sum + d1, 0)),
      each(trips.reduce((sum, trip) => sum + trip.do, 0)),
      `${(without * 100).toFixed(1)} %`,
    ];
  });
  const head = ["", "calls", "per s", "p50 ms", "p95 ms", "p99 ms", "d1 each", "do each"];
  return formatTable([...head, "without d1"], rows);
}

function countOf({ milliseconds }: ShopperResults): number {
  return callKinds.reduce((sum, kind) => sum + milliseconds[kind].length, 0);
}
