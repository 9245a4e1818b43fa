// `npm run bench`: the built Workers in workerd, a shop of 1,000 products, and two that hold 1,000
// and BENCH_PRODUCTS (50,000) of one kind, to be compared; 16 connections on loopback.
// BENCH_SECONDS (2.5) is how long each row is measured, in two goes, so that a noisy moment meets all
// rows alike. Prints five tables; exits with 1 when an answer was not 2xx.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations } from "../scripts/dev/databases.ts";
import { availabilityRowsOf } from "./availability.ts";
import { type Bundle, buildAll } from "./bundles.ts";
import { cartFloorRowsOf, startCartFloor } from "./cart-floor.ts";
import { catalogueRowsOf } from "./catalogue-rows.ts";
import { load, type Measured, together, type Unit } from "./load.ts";
import {
  growthTable,
  machine,
  type Result,
  sizeTable,
  speedTable,
  type Weighed,
} from "./report.ts";
import { type Row, rowsOf } from "./rows.ts";
import { evaluationMs, start } from "./runtime.ts";
import { openImportedShop, openShop } from "./shop.ts";
import { supportTable } from "./support.ts";
import { uploadTable } from "./uploads.ts";
import { type Visitor, visitorAt } from "./visitor.ts";
import { webhooksTable } from "./webhooks.ts";

const connections = 16;
const goes = 2;
const secondsPerGo = Number(process.env.BENCH_SECONDS ?? 2.5) / goes;
const warmUpSeconds = 0.7;
const productCounts = [1_000, Number(process.env.BENCH_PRODUCTS ?? 50_000)];

const folder = mkdtempSync(join(tmpdir(), "duka-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.env.WRANGLER_LOG ??= "error";

console.log(machine());
const bundles = await buildAll(join(folder, "built"));
console.log(`\n${sizeTable(await weighed(bundles))}`);
console.log("start-up: evaluating the global scope in a fresh isolate, the best of 3\n");
const results = await measured(bundles);
console.log(speedTable(results));
console.log(`d1, do: the most round trips of one call after the warm-up (Server-Timing)
of front, of storefront: the share of the rate of that Worker's /healthz
times: the rate as a multiple of the better one of Vendure and Medusa (architecture.md, Speed)`);
console.log(`\n${growthTable(results)}`);
const errors = results.flatMap(({ row, measured }) =>
  measured.errors.slice(0, 3).map((error) => `${row.name}: ${error}`),
);
if (errors.length > 0) {
  console.error(`\n${errors.join("\n")}`);
  process.exitCode = 1;
}

async function weighed(bundles: readonly Bundle[]): Promise<Weighed[]> {
  const all: Weighed[] = [];
  for (const bundle of bundles) {
    const tries = [
      await evaluationMs(bundle),
      await evaluationMs(bundle),
      await evaluationMs(bundle),
    ];
    all.push({ bundle, evaluationMs: Math.min(...tries) });
  }
  return all;
}

async function measured(bundles: readonly Bundle[]): Promise<Result[]> {
  const stateDir = join(folder, "state");
  await applyMigrations(stateDir);
  const runtime = await start(bundles, stateDir);
  const floor = await startCartFloor();
  try {
    console.log(`\n${await uploadTable(runtime.origin)}\n`);
    console.log(`${await supportTable(runtime.origin)}\n`);
    const rows = [
      ...(await rowsAt(runtime.origin, floor.origin)),
      ...(await availabilityRowsOf(runtime)),
    ];
    const results = await measureAll(runtime.origin, rows);
    console.log(`\n${await webhooksTable(runtime)}`);
    return results;
  } catch (error) {
    console.error(runtime.recentLines().join(""));
    throw error;
  } finally {
    await Promise.all([runtime.stop(), floor.stop()]);
  }
}

async function rowsAt(origin: URL, floor: URL): Promise<readonly Row[]> {
  const own = await openShop(origin);
  const rows = [...rowsOf(own), ...cartFloorRowsOf(own, { service: origin, floor })];
  for (const count of productCounts) {
    const started = performance.now();
    const shop = await openImportedShop(origin, count);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(
      `a shop of ${count} products: files in ${shop.importSeconds} s, ready in ${seconds} s`,
    );
    rows.push(...catalogueRowsOf(shop, count));
  }
  return rows;
}

type Ready = Readonly<{ row: Row; visitors: readonly Visitor[]; units: readonly Unit[] }>;

/**
 * Cold reads drive out what is remembered, so that they come after the others; the objects that
 * writes leave behind take a while to be put away, so that these come last.
 */
async function measureAll(origin: URL, rows: readonly Row[]): Promise<Result[]> {
  const phases = [["trivial", "read"], ["cold"], ["write"]];
  const results: Result[] = [];
  for (const kinds of phases) {
    const chosen = rows.filter(({ kind }) => kinds.includes(kind));
    results.push(...(await measureInTurn(chosen, origin)));
  }
  return results;
}

async function measureInTurn(rows: readonly Row[], origin: URL): Promise<Result[]> {
  const all: Ready[] = [];
  for (const row of rows) all.push(await ready(row, origin));
  const found = new Map<Row, Measured>();
  for (let go = 0; go < goes; go += 1) {
    for (const { row, visitors, units } of all) {
      await load(visitors, units, warmUpSeconds);
      const now = await load(visitors, units, secondsPerGo);
      const before = found.get(row);
      found.set(row, before ? together(before, now) : now);
    }
  }
  for (const { visitors } of all) for (const visitor of visitors) visitor.leave();
  return [...found].map(([row, measured]) => ({ row, measured }));
}

async function ready(row: Row, origin: URL): Promise<Ready> {
  const headers = { "X-Public-Key": row.publishableKey };
  const visitors = Array.from({ length: connections }, () =>
    visitorAt(row.origin ?? origin, headers),
  );
  const units = await Promise.all(visitors.map((visitor) => row.work(visitor)));
  return { row, visitors, units };
}
