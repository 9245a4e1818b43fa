import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { createRowsEraser } from "../../shared/moves/index.ts";
import { createFuzzShop } from "../http/fuzz/create-fuzz-client.ts";
import { connectPaystack, createPaystackAccounts, keyOf } from "../payments/paystack-accounts.ts";
import { runHousekeeping } from "../support/cron.ts";
import { refusal } from "../support/responses.ts";
import {
  createBusiness,
  createBusinessOnSameShard,
  merchant,
  operator,
  shopper,
} from "../support/world.ts";

/** Far enough ahead that no alarm fires by itself. */
const start = Date.parse("2031-04-05T06:00:00Z");
const day = 86_400_000;
/** A run continues until nothing is left; a second one does nothing. */
const maxRuns = 2;

let shop: CreatedBusiness;

beforeEach(async () => {
  vi.setSystemTime(start);
  await env.CORE.exec("update businesses set erase_due_at = null"); // of earlier tests
  shop = await createBusiness();
});

afterEach(() => {
  vi.restoreAllMocks();
});

const close = ({ business }: CreatedBusiness) =>
  operator("POST", `/v1/businesses/${business.id}/close`);

async function runHousekeepingAfter(days: number): Promise<void> {
  vi.setSystemTime(start + days * day);
  for (let run = 0; run < maxRuns; run += 1) await runHousekeeping();
}

/** The tables of a database whose rows contain one of the texts. */
async function findTablesWith(db: D1Database, texts: readonly string[]): Promise<string[]> {
  const { results } = await db
    .prepare(
      `select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\'
         and name not like 'sqlite%' and name not like 'd1%' and name not like '%\\_search%' escape '\\'`,
    )
    .all<{ name: string }>();
  const tables = await Promise.all(
    results.map(async ({ name }) => {
      const { results: rows } = await db.prepare(`select * from ${name}`).all();
      const stored = JSON.stringify(rows);
      return texts.some((text) => stored.includes(text)) ? [name] : [];
    }),
  );
  return tables.flat().sort();
}

const countFiles = async ({ business }: CreatedBusiness): Promise<number> =>
  (await env.FILES.list({ prefix: `${business.id}/` })).objects.length;

const countBusinessRows = async ({ business }: CreatedBusiness): Promise<number> => {
  const { results } = await env.CORE.prepare("select id from businesses where id = ?")
    .bind(business.id)
    .all();
  return results.length;
};

describe("a business that was closed 30 days ago", () => {
  it("is erased with its rows, files and conversations, and no other business is", async () => {
    const { ids } = await createFuzzShop(shop);
    const paystack = createPaystackAccounts();
    const testKey = keyOf("ours").replace("live", "test");
    await env.CORE.prepare(
      `insert into link_unassigned_orders (order_id, business_id, mode, contact_type, contact_value)
         values (?, ?, 'test', 'phone', '+233241000001')`,
    )
      .bind(ids.order_id, shop.business.id)
      .run();
    paystack.addAccount(testKey);
    expect((await connectPaystack(shop, testKey)).status).toBe(200);
    const neighbour = await createBusinessOnSameShard(shop);
    const kept = await merchant(neighbour)("POST", "/products", {
      body: { name: "Tea", default_price: "3" },
    });
    expect(kept.status).toBe(201);
    const texts = [
      shop.business.id,
      ...[ids.order_id, ids.product_id, ids.customer_id, ids.thread_id, ids.subscription_id],
      ...[ids.member_id, ids.passkey_id],
    ];
    const shard = shop.business.shard === "SHOP_1" ? env.SHOP_1 : env.SHOP_2;
    expect((await findTablesWith(shard, texts)).length).toBeGreaterThan(30);
    expect(await countFiles(shop)).toBeGreaterThan(0);

    await close(shop);
    await runHousekeepingAfter(29);
    expect(await countBusinessRows(shop)).toBe(1);
    expect(await countFiles(shop)).toBeGreaterThan(0);

    await runHousekeepingAfter(30);
    expect(await countFiles(shop)).toBe(0);
    expect(await findTablesWith(shard, texts)).toEqual(["business_fences"]);
    expect(await findTablesWith(env.CORE, texts)).toEqual([]);
    const messages = await runInDurableObject(
      env.SUPPORT_CONVERSATION.getByName(String(ids.thread_id)),
      (_, { storage }) => storage.list(),
    );
    expect([...messages.keys()]).toEqual([]);

    expect((await merchant(shop)("GET", "")).status).toBe(401);
    expect((await shopper(shop)("GET", "/business")).status).toBe(401);
    const list = await merchant(neighbour)("GET", "/products");
    expect(list.body).toMatchObject({ data: { items: [{ name: "Tea" }] } });
  });

  it("loses the rows of a table that takes several deletions", async () => {
    await merchant(shop)("POST", "/products", { body: { name: "Tea", default_price: "3" } });
    const shard = shop.business.shard === "SHOP_1" ? env.SHOP_1 : env.SHOP_2;
    const moveRow = "update audit_entries set rowid = 12001 where business_id = ?";
    await shard.prepare(moveRow).bind(shop.business.id).run();
    const rows = createRowsEraser(openDb(shard, createMeter()), shop.business.id);
    await rows.closeFence();
    let position: Parameters<typeof rows.deleteNext>[0] | null = { table: 0, after: 0 };
    for (let step = 0; position !== null && step < 30; step += 1)
      position = await rows.deleteNext(position);
    expect(position).toBeNull();
    expect(await findTablesWith(shard, [shop.business.id])).toEqual(["business_fences"]);
  });

  it("cannot be resumed or moved once its erasure has begun", async () => {
    await close(shop);
    vi.setSystemTime(start + 30 * day);
    await env.CORE.prepare("update businesses set erase_position = ? where id = ?")
      .bind('{"phase":"files"}', shop.business.id)
      .run();
    const path = `/v1/businesses/${shop.business.id}`;
    expect(await operator("POST", `${path}/resume`)).toMatchObject({
      status: 409,
      body: refusal("CONFLICT"),
    });
    const other = shop.business.shard === "SHOP_1" ? "SHOP_2" : "SHOP_1";
    expect((await operator("POST", `${path}/move`, { body: { shard: other } })).status).toBe(409);
  });

  it("is erased by runs beside each other, and by a run that continues a dead one", async () => {
    const product = { name: "Tea", default_price: "3" };
    await merchant(shop)("POST", "/products", { body: product });
    await close(shop);
    vi.setSystemTime(start + 30 * day);
    const failing = { ...env, FILES: { list: () => Promise.reject(new Error("no answer")) } };
    await runHousekeeping(failing as unknown as typeof env); // safe: only list is called
    expect(await countBusinessRows(shop)).toBe(1);
    await runHousekeeping(); // the dead run's lease has not ended
    expect(await countBusinessRows(shop)).toBe(1);
    vi.setSystemTime(start + 30 * day + 6 * 60_000);
    await Promise.all([runHousekeeping(), runHousekeeping()]);
    expect(await countBusinessRows(shop)).toBe(0);
    await runHousekeeping();
  });

  it("waits for the end of an open move", async () => {
    await close(shop);
    const { business } = shop;
    await env.CORE.prepare(
      `insert into business_moves (id, business_id, from_shard, to_shard, phase, position, rows_copied,
         version, started_at) values ('bmv_1', ?, 'SHOP_1', 'SHOP_2', 'copying', '{}', 0, 0, 0)`,
    )
      .bind(business.id)
      .run();
    await runHousekeepingAfter(30);
    expect(await countBusinessRows(shop)).toBe(1);
    await env.CORE.prepare("update business_moves set ended_at = 1 where business_id = ?")
      .bind(business.id)
      .run();
    await runHousekeepingAfter(31);
    expect(await countBusinessRows(shop)).toBe(0);
  });
});

it("leaves the organization of an erased default business to the next one", async () => {
  const organizationId = `org_${"0".repeat(25)}1`;
  const first = await createBusiness({ organizationId });
  const second = await createBusiness({ organizationId });
  await close(first);
  await runHousekeepingAfter(30);
  const { results } = await env.CORE.prepare(
    "select default_business_id as id from organizations where id = ?",
  )
    .bind(organizationId)
    .all();
  expect(results).toEqual([{ id: second.business.id }]);
});
