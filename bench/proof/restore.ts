// `npm run proof:restore` takes PROOF_BACKUPS (3) backups of `npm run serve` while PROOF_SHOPPERS (40)
// shoppers buy, restores each into another folder and serves it there: interrupted checkouts finish,
// events arrive, a file is there, shoppers buy again, and the books agree.
// Exits with 1 when anything disagrees.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { root } from "../../scripts/dev/paths.ts";
import { loadBuild } from "../../scripts/serve/build/build.ts";
import { createStockedShop } from "../create-stocked-shop.ts";
import { formatTable } from "../format-table.ts";
import { checkBooks, formatReconciliation } from "../load-reconciliation.ts";
import { overAfter, simulateShoppers } from "../load-shoppers.ts";
import { checkOperatorBooks } from "../operator-books.ts";
import { describeMachine } from "../report.ts";
import { startEventReceiver, subscribe } from "./event-receiver.ts";
import { assertFileServed, uploadFile } from "./merchant-file.ts";
import { findPort, startServer } from "./server-process.ts";
import { openShards } from "./stored-state.ts";
import { waitForRest } from "./wait-for-rest.ts";

const shoppers = Number(process.env.PROOF_SHOPPERS ?? 40);
const backups = Number(process.env.PROOF_BACKUPS ?? 3);
const shares = { catalogue: 25, cart: 40, checkout: 30, other: 5 };
const betweenBackupsMs = 2_000;
const secondsAfterRestore = 5;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "duka-restore-")));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

console.log(`${describeMachine()}\n${shoppers} shoppers, ${backups} backups\n`);
await loadBuild(console.log);
const stateDir = join(folder, "state");
mkdirSync(stateDir);
const receiver = await startEventReceiver();
const server = await startServer(stateDir, await findPort());
const shop = await createStockedShop(server.origin);
await subscribe(server.origin, shop.secretKey, receiver.url);
const file = await uploadFile(server.origin);

type Copy = Readonly<{
  stateDir: string;
  backup: Readonly<{ databases: number; files: number; bytes: number; paused_ms: number }>;
  backupSeconds: number;
  /** Orders that shoppers had received before the backup began. */
  received: readonly string[];
}>;

const received: string[] = [];
const shopping = { isOver: false };
const [results, copies] = await Promise.all([
  simulateShoppers(server.origin, shop, {
    ...{ shoppers, shares },
    isOver: () => shopping.isOver,
    onOrder: (orderId) => void received.push(orderId),
  }),
  backUpRepeatedly().finally(() => {
    shopping.isOver = true;
  }),
]);
await server.stop();
const compared = await Promise.all(copies.map(serveCopy));

console.log(
  formatTable(
    [
      "backup",
      "databases",
      "files",
      "MB",
      "seconds",
      "stopped ms",
      "orders",
      "start ms",
      "violations",
    ],
    copies.map(({ backup, backupSeconds }, index) => {
      const { orders = 0, startMs = 0, findings = [] } = compared[index] ?? {};
      return [
        ...[String(index + 1), String(backup.databases), String(backup.files)],
        ...[(backup.bytes / 1e6).toFixed(1), backupSeconds.toFixed(2), String(backup.paused_ms)],
        ...[String(orders), startMs.toFixed(0)],
        String(findings.reduce((sum, { violations }) => sum + violations, 0)),
      ];
    }),
  ),
);
for (const { orders, findings } of compared) {
  if (findings.every(({ violations }) => violations === 0)) continue;
  console.log(formatReconciliation({ orders, findings }));
  process.exitCode = 1;
}
receiver.close();
for (const error of results.errors.slice(0, 5)) console.error(error);
if (results.errors.length > 0) process.exitCode = 1;

async function backUpRepeatedly(): Promise<Copy[]> {
  const taken: Copy[] = [];
  for (let number = 1; number <= backups; number += 1) {
    await pause(betweenBackupsMs);
    const receivedBefore = [...received];
    const target = join(folder, `backup-${number}`);
    const copy = join(folder, `restored-${number}`);
    const started = performance.now();
    await runScript("backup", target, stateDir);
    const backupSeconds = (performance.now() - started) / 1_000;
    await runScript("restore", target, copy);
    const backup = JSON.parse(readFileSync(join(target, "backup.json"), "utf8"));
    taken.push({ stateDir: copy, backup, backupSeconds, received: receivedBefore });
  }
  return taken;
}

async function runScript(name: "backup" | "restore", target: string, state: string) {
  const args = [join(root, `scripts/serve/${name}.ts`), target];
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, STATE_DIR: state } });
}

/**
 * Serves a restored copy until its interrupted checkouts are finished and its events have arrived,
 * lets shoppers buy from it, and compares its books.
 */
async function serveCopy(copy: Copy) {
  const restored = await startServer(copy.stateDir, await findPort());
  await assertFileServed(new URL(file.path, restored.origin), file);
  const later = await simulateShoppers(restored.origin, shop, {
    ...{ shoppers: 5, shares },
    isOver: overAfter(secondsAfterRestore),
  });
  const rest = await waitForRest(copy.stateDir, shop.businessId, receiver);
  const operatorBooks = await checkOperatorBooks(restored.origin, shop.businessId);
  await restored.stop();
  const { databases, close } = openShards(copy.stateDir);
  const { orderIds, findings } = await checkBooks(databases, shop.businessId);
  close();
  const stored = new Set(orderIds);
  const countMissing = (ids: readonly string[]) => ids.filter((id) => !stored.has(id)).length;
  return {
    orders: orderIds.length,
    startMs: restored.startMs,
    findings: [
      operatorBooks,
      {
        rule: "every order that was received before the backup is in it",
        violations: countMissing(copy.received),
      },
      {
        rule: "every order that was placed after the restore is stored",
        violations: countMissing(later.orderIds),
      },
      { rule: "no call after the restore failed", violations: later.errors.length },
      ...findings,
      ...rest,
    ],
  };
}
