// `npm run load`: LOAD_SHOPPERS (300) shoppers in the built Workers in workerd for LOAD_SECONDS (60): 80
// of 100 calls read the catalogue, 15 are the cart's, 4 check out. Then the books are checked in the
// databases themselves. Exits with 1 when they disagree, or when a call failed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations } from "../scripts/dev/databases.ts";
import { buildAll } from "./bundles.ts";
import { percentile } from "./load.ts";
import { type Books, booksOf } from "./load-books.ts";
import { openCountedShop } from "./load-shop.ts";
import { kinds, shopped, type Told } from "./load-shoppers.ts";
import { machine } from "./report.ts";
import { residentMb, workerdCpuSeconds } from "./resident.ts";
import { type Runtime, start } from "./runtime.ts";
import { table } from "./table.ts";

const seconds = Number(process.env.LOAD_SECONDS ?? 60);
const shoppers = Number(process.env.LOAD_SHOPPERS ?? 300);
const sampleMs = 500;

const folder = mkdtempSync(join(tmpdir(), "duka-load-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.env.WRANGLER_LOG ??= "error";

console.log(`${machine()}\n${shoppers} shoppers, ${seconds} s\n`);
const bundles = await buildAll(join(folder, "built"));
const stateDir = join(folder, "state");
await applyMigrations(stateDir);
const runtime = await start(bundles, stateDir);
try {
  const { told, books, taken } = await run(runtime);
  console.log(callsTable(told));
  console.log(
    `\n${(countOf(told) / seconds).toFixed(0)} calls/s, ${(told.orderIds.length / seconds).toFixed(1)} orders/s; ` +
      `${told.refused} refused by a rule, ${told.errors.length} errors\n` +
      `catalogue pages that somebody asked for before: ${warmShare(told)} without D1\n` +
      `workerd: ${taken.idleMb.toFixed(0)} MB before, ${taken.mostMb.toFixed(0)} MB at most; ` +
      `${taken.cpuSeconds.toFixed(1)} s of CPU, the shoppers themselves ${taken.ownCpuSeconds.toFixed(1)} s\n`,
  );
  console.log(booksTable(books));
  for (const error of told.errors.slice(0, 5)) console.error(error);
  const isWrong = books.findings.some(({ breaches }) => breaches > 0) || told.errors.length > 0;
  if (isWrong) process.exitCode = 1;
} catch (error) {
  console.error(runtime.recentLines().join(""));
  throw error;
} finally {
  await runtime.stop();
}

async function run(running: Runtime) {
  const shop = await openCountedShop(running.origin);
  const idleMb = residentMb();
  let mostMb = idleMb;
  const cpuBefore = workerdCpuSeconds();
  const ownCpuBefore = process.cpuUsage();
  const sampling = setInterval(() => {
    mostMb = Math.max(mostMb, residentMb());
  }, sampleMs);
  try {
    const told = await shopped(running.origin, shop, { shoppers, seconds });
    const own = process.cpuUsage(ownCpuBefore);
    const taken = {
      ...{ idleMb, mostMb },
      cpuSeconds: workerdCpuSeconds() - cpuBefore,
      ownCpuSeconds: (own.user + own.system) / 1_000_000,
    };
    return { told, books: await booksOf(running, shop, told), taken };
  } finally {
    clearInterval(sampling);
  }
}

/** What was answered from memory, of what one answer before could have brought there. */
function warmShare({ pagesAgain }: Told): string {
  const warm = pagesAgain.filter(({ d1 }) => d1 === 0).length;
  return `${((100 * warm) / pagesAgain.length).toFixed(1)} %`;
}

/** Without D1: the share of the answers that came from memory, or from the session's object alone. */
function callsTable({ milliseconds, roundTrips }: Told): string {
  const rows = kinds.map((kind) => {
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
  return table([...head, "without d1"], rows);
}

function booksTable({ orders, findings }: Books): string {
  const rows = findings.map(({ says, breaches }) => [says, String(breaches)]);
  return table([`the books of ${orders} orders`, "breaches"], rows);
}

function countOf({ milliseconds }: Told): number {
  return kinds.reduce((sum, kind) => sum + milliseconds[kind].length, 0);
}
