import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { derivedTables, movedTables } from "../../shared/moves/index.ts";
import { exportedTables, runNextJob, tablesNotExported } from "../../shared/portability/index.ts";
import {
  createShopWithSale,
  openShard,
  otherShard,
  readAllRows,
  requestMove,
} from "../moves/create-move.ts";
import { createConversation, waitUntilListed } from "../support/create-conversation.ts";
import { createKey } from "../support/create-key.ts";
import { Crash, type CrashPoint, crashAtEffect } from "../support/faults.ts";
import { refusal, success } from "../support/responses.ts";
import { createBusiness, dataOf, merchant, roundTrips } from "../support/world.ts";
import {
  countByTable,
  createTransferContext,
  exportBusiness,
  parseFile,
  passLease,
  requestExport,
  runTransfers,
  runWithCrashes,
} from "./run-exports.ts";

const start = Date.parse("2031-04-05T06:00:00Z");
const day = 86_400_000;

beforeEach(async () => {
  vi.setSystemTime(start);
  await env.CORE.exec("delete from portability_jobs"); // of earlier tests
});

/** Whether a write that adds no row to a file succeeds. */
async function mayWrite({ business }: CreatedBusiness): Promise<boolean> {
  const insert = openShard(business.shard)
    .prepare("insert into catalogue_versions values (?, 1) on conflict do update set version = 1")
    .bind(business.id);
  const error = await insert.run().catch((error: unknown) => error);
  if (error instanceof Error) expect(error.message).toContain("business_fenced");
  return !(error instanceof Error);
}

describe("the tables of a shop", () => {
  it("are exported, left out for a reason, or filled by triggers", () => {
    const decided = [...exportedTables, ...Object.keys(tablesNotExported)];
    expect(decided.sort()).toEqual(movedTables.map(({ name }) => name).sort());
    expect(decided.filter((name) => derivedTables.includes(name))).toEqual([]);
  });
});

describe("an export", () => {
  it("is started once for each Idempotency-Key, in five round trips", async () => {
    const shop = await createShopWithSale();
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const start = () => merchant(shop)("POST", "/exports", { headers });
    const first = await start();
    expect(first.status).toBe(201);
    expect(roundTrips(first).d1).toBeLessThanOrEqual(5); // two of them find the key and store the response
    const again = await start();
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
  });

  it("contains no secret, and is listed with its address", async () => {
    const shop = await createShopWithSale();
    const stored = await readAllRows(shop, shop.business.shard);
    const text = await exportBusiness(shop);
    const { header, rows, footer } = parseFile(text);

    expect(header).toMatchObject({
      duka_export: 1,
      business: { id: shop.business.id, currency: shop.business.currency },
    });
    expect(footer).toEqual({ rows: rows.length, tables: countByTable(rows) });
    const hashes = (stored.orders ?? []).map((row) => JSON.parse(row).bill_token_hash);
    expect(hashes.filter((hash) => text.includes(hash))).toEqual([]);
    expect(text).not.toMatch(/session_id|sealed|request_key|address_digest/);

    const listed = await merchant(shop)("GET", "/exports");
    const item = { status: "completed", row_count: rows.length, error: null };
    const [newest] = dataOf(listed).items;
    expect(newest).toMatchObject(item);
    const { url, size_bytes } = newest;
    expect(size_bytes).toBe(new TextEncoder().encode(text).length);
    expect(new URL(url).pathname).toMatch(/\/exports\/exp_\w+\/file$/);
    expect(await mayWrite(shop)).toBe(true);
  });

  it("is for owners and keys with all scopes of its business", async () => {
    const [shop, other] = [await createBusiness(), await createBusiness()];
    await exportBusiness(shop);
    const { id } = dataOf(await merchant(shop)("GET", "/exports")).items[0];
    const narrow = await createKey(shop, { scopes: ["catalogue:read", "settings:write"] });
    const paths = ["/exports", `/exports/${id}`, `/exports/${id}/file`];
    for (const path of paths) {
      const headers = { "X-API-Key": narrow };
      expect((await merchant(shop)("GET", path, { headers })).status).toBe(403);
    }
    for (const path of paths.slice(1)) {
      expect((await merchant(other)("GET", path)).body).toMatchObject(refusal("NOT_FOUND"));
    }
  });

  it("is one at a time, and excludes a move of the business until it ends", async () => {
    const shop = await createBusiness();
    const id = await requestExport(shop);
    expect(await requestExport(shop)).toBe(id);
    expect((await merchant(shop)("GET", `/exports/${id}/file`)).status).toBe(409);
    const target = otherShard(shop.business.shard);
    expect((await requestMove(shop, target)).body).toMatchObject(refusal("CONFLICT"));
    await runTransfers();
    expect((await requestMove(shop, target)).status).toBe(200);
  });

  it("is complete, and its business sells again, when a run crashes at any effect", async () => {
    const shop = await createShopWithSale();
    const { threadId } = await createConversation(shop, "Is the scarf silk?");
    await waitUntilListed(shop, threadId, { message_count: 1 });
    const exportWith = async (crash: CrashPoint) => {
      const id = await requestExport(shop);
      await runWithCrashes(crash);
      expect(await mayWrite(shop)).toBe(true);
      const file = await merchant(shop)("GET", `/exports/${id}/file`);
      // Each export adds entries to the audit trail.
      const { rows } = parseFile(String(file.body));
      return rows.filter(({ table }) => table !== "audit_entries");
    };
    let effects = 0;
    const rows = await exportWith(async (effect) => {
      effects += 1;
      return effect();
    });
    for (let effect = 1; effect <= effects; effect += 3) {
      const when = effect % 2 === 0 ? "before" : "after";
      expect(await exportWith(crashAtEffect(effect, when))).toEqual(rows);
    }
  });

  it("stops writes while it copies, and allows them again when it fails", async () => {
    const shop = await createShopWithSale();
    const id = await requestExport(shop);
    const ctx = createTransferContext();
    const put = () => Promise.reject(new Crash());
    const failing = { ...ctx, files: { ...ctx.files, put } };
    // The first run stops the writes, which is progress; five more make none.
    for (let runs = 0; runs < 6; runs += 1) {
      await expect(runNextJob(failing)).rejects.toThrow(Crash);
      expect(await mayWrite(shop)).toBe(false);
      passLease();
    }
    await runNextJob(failing);
    expect(await mayWrite(shop)).toBe(true);
    expect(dataOf(await merchant(shop)("GET", `/exports/${id}`))).toMatchObject({
      status: "failed",
      error: "The export made no progress in 5 tries.",
      url: null,
    });
  });

  it("is deleted with its file after 7 days", async () => {
    const shop = await createBusiness();
    await exportBusiness(shop);
    const countFiles = async () =>
      (await env.FILES.list({ prefix: `${shop.business.id}/exports/` })).objects.length;
    expect(await countFiles()).toBeGreaterThan(0);
    vi.setSystemTime(start + 7 * day + 1);
    await runTransfers();
    expect(await countFiles()).toBe(0);
    expect((await merchant(shop)("GET", "/exports")).body).toMatchObject(success({ items: [] }));
  });
});
