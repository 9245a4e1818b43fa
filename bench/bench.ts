// `npm run bench`: the built Workers in workerd, one shop of 1,000 products, 16 connections on
// loopback. BENCH_SECONDS (5) is how long each row is measured, in two goes, so that a noisy moment
// meets all rows alike. Prints two tables; exits with 1 when an answer was not 2xx.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations } from "../scripts/dev/databases.ts";
import { type Bundle, buildAll } from "./bundles.ts";
import { load, type Measured, together, type Unit } from "./load.ts";
import { machine, type Result, sizeTable, speedTable, type Weighed } from "./report.ts";
import { type Row, rowsOf } from "./rows.ts";
import { evaluationMs, start } from "./runtime.ts";
import { openShop, type Shop } from "./shop.ts";
import { type Visitor, visitorAt } from "./visitor.ts";

const connections = 16;
const goes = 2;
const secondsPerGo = Number(process.env.BENCH_SECONDS ?? 5) / goes;
const warmUpSeconds = 1;

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
  try {
    const shop = await openShop(runtime.origin);
    return await measureAll(runtime.origin, shop);
  } catch (error) {
    console.error(runtime.recentLines().join(""));
    throw error;
  } finally {
    await runtime.stop();
  }
}

type Ready = Readonly<{ row: Row; visitors: readonly Visitor[]; units: readonly Unit[] }>;

/** The writes come last: the objects that they leave behind take a while to be put away. */
async function measureAll(origin: URL, shop: Shop): Promise<Result[]> {
  const rows = rowsOf(shop);
  const writes = rows.filter(({ kind }) => kind === "write");
  const others = rows.filter(({ kind }) => kind !== "write");
  return [
    ...(await measureInTurn(others, origin, shop)),
    ...(await measureInTurn(writes, origin, shop)),
  ];
}

async function measureInTurn(rows: readonly Row[], origin: URL, shop: Shop): Promise<Result[]> {
  const all: Ready[] = [];
  for (const row of rows) all.push(await ready(row, origin, shop));
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

async function ready(row: Row, origin: URL, { publishableKey }: Shop): Promise<Ready> {
  const headers = { "X-Public-Key": publishableKey };
  const visitors = Array.from({ length: connections }, () => visitorAt(origin, headers));
  const units = await Promise.all(visitors.map((visitor) => row.work(visitor)));
  return { row, visitors, units };
}
