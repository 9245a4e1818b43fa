// `npm run bench` measures the built Workers in workerd over 16 loopback connections; `npm run bench
// -- --help` lists its options. Exits with 1 after a response that is not 2xx.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations } from "../scripts/dev/databases.ts";
import { type Bundle, buildBundles } from "../scripts/serve/build/bundles.ts";
import { startPlatform } from "./agents.ts";
import { startCartFloor } from "./cart-floor.ts";
import { formatComparison } from "./compare.ts";
import { manyBusinessesRowNames, measureManyBusinesses } from "./many-businesses.ts";
import { measureRows } from "./measure-rows.ts";
import { type BenchOptions, isSelected, parseOptions, usage } from "./options.ts";
import { createRecord, readRecord } from "./record.ts";
import {
  type BundleMeasurement,
  describeMachine,
  formatGrowthTable,
  formatSizeTable,
  formatSpeedTable,
} from "./report.ts";
import type { BenchResult } from "./results.ts";
import { createRows } from "./row-groups.ts";
import { type BenchRuntime, measureEvaluationMs, startRuntime } from "./runtime.ts";
import { startSaleFloor } from "./sale-floor.ts";
import { startServedRuntime } from "./served-runtime.ts";
import { chatRowNames, measureSupport } from "./support.ts";
import { measureUploads, uploadRowNames } from "./uploads.ts";
import { measureWebhooks, webhookRowNames } from "./webhooks.ts";

const options = readOptions();
if (options === null) console.log(usage);
else await runBench(options);

function readOptions(): BenchOptions | null {
  try {
    return parseOptions(process.argv.slice(2), process.env);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(2);
  }
}

async function runBench(chosen: BenchOptions): Promise<void> {
  const earlier = chosen.comparePath === undefined ? null : readRecord(chosen.comparePath);
  const folder = mkdtempSync(join(tmpdir(), "duka-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => process.exit(130));
  process.env.WRANGLER_LOG ??= "error";

  console.log(`${describeMachine()}\n`);
  const bundles = await buildBundles(join(folder, "built"));
  const measuredBundles = chosen.rows.length === 0 ? await measureBundles(bundles) : [];
  const results = await measureAll(bundles, join(folder, "state"), chosen);
  const record = createRecord(chosen, measuredBundles, results);
  if (chosen.jsonPath !== undefined)
    writeFileSync(chosen.jsonPath, `${JSON.stringify(record, null, 2)}\n`);
  if (earlier) console.log(`\n${formatComparison(earlier, record)}`);
  if (results.length === 0) throw new Error("No row has a name with this text.");
  const errors = results.flatMap(({ name, errors }) =>
    errors.slice(0, 3).map((error) => `${name}: ${error}`),
  );
  if (errors.length > 0) {
    console.error(`\n${errors.join("\n")}`);
    process.exitCode = 1;
  }
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
  console.log(`${formatSizeTable(measurements)}
start-up: milliseconds to evaluate the global scope in a new isolate, best of 3\n`);
  return measurements;
}

/** Rows that share their preparation. */
type RowGroup = Readonly<{
  names: readonly string[];
  measure(
    runtime: BenchRuntime,
    chosen: BenchOptions,
  ): Promise<{ table: string; results: BenchResult[] }>;
}>;

/** Measures the groups that have a selected row, and prints the table of each. */
async function measureGroups(
  runtime: BenchRuntime,
  chosen: BenchOptions,
  groups: readonly RowGroup[],
): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const { names, measure } of groups) {
    if (!names.some((name) => isSelected(name, chosen))) continue;
    const { table, results: measured } = await measure(runtime, chosen);
    console.log(`${table}\n`);
    results.push(...measured);
  }
  return results;
}

/** Measures the selected rows, and prints each table when it is complete. */
async function measureAll(
  bundles: readonly Bundle[],
  stateDir: string,
  chosen: BenchOptions,
): Promise<BenchResult[]> {
  await applyMigrations(stateDir);
  const runtime = chosen.isServed
    ? await startServedRuntime(stateDir)
    : await startRuntime(bundles, stateDir, chosen);
  try {
    const results = await measureGroups(runtime, chosen, [
      { names: uploadRowNames, measure: measureUploads },
      { names: chatRowNames, measure: measureSupport },
    ]);
    const speeds = await measureSpeeds(runtime, chosen);
    results.push(...speeds);
    results.push(
      ...(await measureGroups(runtime, chosen, [
        { names: webhookRowNames, measure: measureWebhooks },
        { names: manyBusinessesRowNames, measure: measureManyBusinesses },
      ])),
    );
    const tables = [formatSpeedTable(speeds), formatGrowthTable(speeds)];
    console.log(tables.filter((table) => table !== "").join("\n\n"));
    return results;
  } catch (error) {
    console.error(runtime.recentLines().join("\n"));
    throw error;
  } finally {
    await runtime.stop();
  }
}

async function measureSpeeds(runtime: BenchRuntime, chosen: BenchOptions): Promise<BenchResult[]> {
  const cartFloor = await startCartFloor();
  const saleFloor = await startSaleFloor();
  const platform = await startPlatform();
  const floors = { cart: cartFloor.origin, sale: saleFloor.origin };
  try {
    const rows = await createRows(runtime, { floors, platform }, chosen);
    return await measureRows(runtime.origin, rows, chosen);
  } finally {
    platform.stop();
    await cartFloor.stop();
    await saleFloor.stop();
  }
}
