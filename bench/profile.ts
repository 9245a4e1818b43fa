// `node bench/profile.ts [row]` shows where the Workers spend their time during one row of `npm run
// bench`, by default the whole sale: CPU milliseconds of a unit, and the functions that take most.
// PROFILE_SECONDS (5) sets how long it runs. The profiles are written to PROFILE_DIR, when it is set,
// for the "Performance" panel of Chrome's developer tools.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations } from "../scripts/dev/databases.ts";
import { buildBundles } from "../scripts/serve/build/bundles.ts";
import { createShop } from "./create-shop.ts";
import { formatTable } from "./format-table.ts";
import { runLoad } from "./load.ts";
import { type CpuProfile, startProfiles, summarize } from "./profile/inspector.ts";
import { findPort } from "./proof/server-process.ts";
import { createShopRows } from "./rows.ts";
import { startRuntime } from "./runtime.ts";
import { createVisitor } from "./visitor.ts";
import { cpuSecondsOf } from "./workerd-process.ts";

const connections = 16;
const warmUpSeconds = 3;
const seconds = Number(process.env.PROFILE_SECONDS ?? 5);
const [rowName = "whole sale"] = process.argv.slice(2);

const folder = mkdtempSync(join(tmpdir(), "duka-profile-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
process.env.WRANGLER_LOG ??= "error";

const bundles = await buildBundles(join(folder, "built"));
await applyMigrations(join(folder, "state"));
const inspectorPort = await findPort();
const runtime = await startRuntime(bundles, join(folder, "state"), { inspectorPort });
try {
  const shop = await createShop(runtime.origin);
  const row = createShopRows(shop).find(({ name }) => name.includes(rowName));
  if (!row) throw new Error(`npm run bench has no row of a shop whose name has "${rowName}".`);
  const headers = { "X-Public-Key": row.publishableKey };
  const visitors = Array.from({ length: connections }, () =>
    createVisitor(runtime.origin, headers),
  );
  const units = await Promise.all(visitors.map((visitor) => row.work(visitor)));
  await runLoad(visitors, units, warmUpSeconds);
  const cpuBefore = cpuSecondsOf(runtime.processIds());
  const measured = await runLoad(visitors, units, seconds);
  const cpuMs = ((cpuSecondsOf(runtime.processIds()) - cpuBefore) * 1_000) / measured.units;
  const stopProfiles = await startProfiles(inspectorPort);
  const profiled = await runLoad(visitors, units, seconds);
  const profiles = await stopProfiles();
  for (const visitor of visitors) visitor.disconnect();
  console.log(
    `${row.name}: ${(measured.units / measured.seconds).toFixed(0)} per second, ${cpuMs.toFixed(2)} ms of workerd's CPU each`,
  );
  for (const error of new Set(measured.errors)) console.error(error);
  for (const profile of profiles) print(profile, profiled.units);
} finally {
  await runtime.stop();
}

function print({ worker, profile }: CpuProfile, unitCount: number): void {
  const { busyMs, self, inclusive } = summarize(profile);
  const perUnit = (ms: number) => (ms / unitCount).toFixed(3);
  if (process.env.PROFILE_DIR)
    writeFileSync(join(process.env.PROFILE_DIR, `${worker}.cpuprofile`), JSON.stringify(profile));
  if (busyMs / unitCount < 0.01) return;
  console.log(`\n${worker}: ${perUnit(busyMs)} ms of JavaScript each`);
  for (const [title, list] of [
    ["itself", self],
    ["with what it calls", inclusive],
  ] as const) {
    const rows = list.slice(0, 40).map(({ name, ms }) => [name, perUnit(ms)]);
    console.log(`\n${formatTable([title, "ms each"], rows)}`);
  }
}
