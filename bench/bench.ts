// `npm run bench` measures the built Workers in workerd over 16 loopback connections, with shops of
// 1,000 and BENCH_PRODUCTS (50,000) products. Measures each row for BENCH_SECONDS (2.5) in two
// rounds, to spread noise. BENCH_TARGET=serve measures `npm run serve` instead of workerd alone.
// Exits with 1 after a response that is not 2xx.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations } from "../scripts/dev/databases.ts";
import { type Bundle, buildBundles } from "../scripts/serve/build/bundles.ts";
import { type BenchPlatform, createAgentRows, startPlatform } from "./agents.ts";
import { createAvailabilityRows } from "./availability.ts";
import { createCartFloorRows, startCartFloor } from "./cart-floor.ts";
import { createCatalogueRows } from "./catalogue-rows.ts";
import { createImportedShop, createShop } from "./create-shop.ts";
import { type Measurement, mergeMeasurements, runLoad, type WorkUnit } from "./load.ts";
import {
  type BenchResult,
  type BundleMeasurement,
  describeMachine,
  formatGrowthTable,
  formatSizeTable,
  formatSpeedTable,
} from "./report.ts";
import { type BenchRow, createShopRows } from "./rows.ts";
import { measureEvaluationMs, startRuntime } from "./runtime.ts";
import { startServedRuntime } from "./served-runtime.ts";
import { measureSupport } from "./support.ts";
import { measureUploads } from "./uploads.ts";
import { createVisitor, type Visitor } from "./visitor.ts";
import { measureWebhooks } from "./webhooks.ts";

const connections = 16;
const rounds = 2;
const secondsPerRound = Number(process.env.BENCH_SECONDS ?? 2.5) / rounds;
/** Whether `npm run serve` is measured instead of workerd alone. */
const isServed = process.env.BENCH_TARGET === "serve";
const warmUpSeconds = 0.7;
const productCounts = [1_000, Number(process.env.BENCH_PRODUCTS ?? 50_000)];

const folder = mkdtempSync(join(tmpdir(), "duka-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.env.WRANGLER_LOG ??= "error";

console.log(describeMachine());
const bundles = await buildBundles(join(folder, "built"));
console.log(`\n${formatSizeTable(await measureBundles(bundles))}`);
console.log("start-up: milliseconds to evaluate the global scope in a new isolate, best of 3\n");
const results = await runBenchmarks(bundles);
console.log(formatSpeedTable(results));
console.log(`d1, do: the most round trips of one call after the warm-up (Server-Timing)
of front, of storefront: share of the rate of that Worker's /healthz
times: multiple of the faster of Vendure and Medusa, measured on a machine of two cores`);
console.log(`\n${formatGrowthTable(results)}`);
const errors = results.flatMap(({ row, measured }) =>
  measured.errors.slice(0, 3).map((error) => `${row.name}: ${error}`),
);
if (errors.length > 0) {
  console.error(`\n${errors.join("\n")}`);
  process.exitCode = 1;
}

async function measureBundles(bundles: readonly Bundle[]): Promise<BundleMeasurement[]> {
  const measurements: BundleMeasurement[] = [];
  for (const bundle of bundles) {
    const attempts = [
      await measureEvaluationMs(bundle),
      await measureEvaluationMs(bundle),
      await measureEvaluationMs(bundle),
    ];
    measurements.push({ bundle, evaluationMs: Math.min(...attempts) });
  }
  return measurements;
}

async function runBenchmarks(bundles: readonly Bundle[]): Promise<BenchResult[]> {
  const stateDir = join(folder, "state");
  await applyMigrations(stateDir);
  const runtime = isServed
    ? await startServedRuntime(stateDir)
    : await startRuntime(bundles, stateDir);
  const floor = await startCartFloor();
  const platform = await startPlatform();
  try {
    console.log(`\n${await measureUploads(runtime.origin)}\n`);
    console.log(`${await measureSupport(runtime.origin)}\n`);
    const rows = [
      ...(await prepareRows(runtime.origin, { floor: floor.origin, platform })),
      ...(await createAvailabilityRows(runtime)),
    ];
    const results = await measureAll(runtime.origin, rows);
    console.log(`\n${await measureWebhooks(runtime)}`);
    return results;
  } catch (error) {
    console.error(runtime.recentLines().join("\n"));
    throw error;
  } finally {
    platform.stop();
    await Promise.all([runtime.stop(), floor.stop()]);
  }
}

async function prepareRows(
  origin: URL,
  { floor, platform }: Readonly<{ floor: URL; platform: BenchPlatform }>,
): Promise<readonly BenchRow[]> {
  const shop = await createShop(origin);
  const rows = [
    ...createShopRows(shop),
    ...createAgentRows(shop, platform),
    ...createCartFloorRows(shop, { service: origin, floor }),
  ];
  for (const count of productCounts) {
    const started = performance.now();
    const importedShop = await createImportedShop(origin, count);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(
      `shop of ${count} products: imported in ${importedShop.importSeconds} s, ready in ${seconds} s`,
    );
    rows.push(...createCatalogueRows(importedShop, count));
  }
  return rows;
}

type PreparedRow = Readonly<{
  row: BenchRow;
  visitors: readonly Visitor[];
  units: readonly WorkUnit[];
}>;

/**
 * Measures all rows. Cached reads come first, because cold reads evict the cache. Writes come last,
 * because workerd takes a while to evict the Durable Objects that writes create.
 */
async function measureAll(origin: URL, rows: readonly BenchRow[]): Promise<BenchResult[]> {
  const phases = [["trivial", "read"], ["cold"], ["write"]];
  const results: BenchResult[] = [];
  for (const kinds of phases) {
    const chosen = rows.filter(({ kind }) => kinds.includes(kind));
    results.push(...(await measureRows(chosen, origin)));
  }
  return results;
}

async function measureRows(rows: readonly BenchRow[], origin: URL): Promise<BenchResult[]> {
  const preparedRows: PreparedRow[] = [];
  for (const row of rows) preparedRows.push(await prepareRow(row, origin));
  const measurements = new Map<BenchRow, Measurement>();
  for (let round = 0; round < rounds; round += 1) {
    for (const { row, visitors, units } of preparedRows) {
      await runLoad(visitors, units, warmUpSeconds);
      const latest = await runLoad(visitors, units, secondsPerRound);
      const earlier = measurements.get(row);
      measurements.set(row, earlier ? mergeMeasurements(earlier, latest) : latest);
    }
  }
  for (const { visitors } of preparedRows) for (const visitor of visitors) visitor.disconnect();
  return [...measurements].map(([row, measured]) => ({ row, measured }));
}

async function prepareRow(row: BenchRow, origin: URL): Promise<PreparedRow> {
  const headers = { "X-Public-Key": row.publishableKey };
  const visitors = Array.from({ length: connections }, () =>
    createVisitor(row.origin ?? origin, headers),
  );
  const units = await Promise.all(visitors.map((visitor) => row.work(visitor)));
  return { row, visitors, units };
}
