import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { minute, second } from "../../shared/kernel/index.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { runAllJobs } from "../support/cron.ts";
import { measureD1Usage } from "../support/d1-usage.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import {
  listMessageRows,
  providerSettings,
  queueMessagesOf,
  sendMessagesOf,
  stubMessageProviders,
} from "./create-messages.ts";

const start = Date.UTC(2026, 11, 1, 12);
const orderCount = 6;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A shop with a queued confirmation for each of six orders. */
async function createShopWithMessages() {
  const shop = await createBusiness();
  const { id } = await createProduct(shop);
  const orderIds: string[] = [];
  for (let number = 0; number < orderCount; number += 1) {
    const customer = { name: "Ama", email: `ama${number}@example.com` };
    const order = await createOrder(shop, id, { payWith: "cash", fields: { customer } });
    orderIds.push(order.id);
  }
  await queueMessagesOf(shop);
  return { shop, orderIds };
}

/** A shop on this shard with one queued confirmation. */
async function createShopOnShard(shard: string) {
  for (;;) {
    const shop = await createBusiness();
    if (shop.business.shard !== shard) continue;
    const { id } = await createProduct(shop);
    const customer = { name: "Ama", email: "ama@example.com" };
    await createOrder(shop, id, { payWith: "cash", fields: { customer } });
    await queueMessagesOf(shop);
    return shop;
  }
}

describe("messages of a business that are due together", () => {
  it("read their orders, events and settings once", async () => {
    const { emails } = stubMessageProviders();
    const { shop, orderIds } = await createShopWithMessages();
    const { runsBySql } = await measureD1Usage(() => sendMessagesOf(shop));
    expect(emails.map(({ to }) => to[0]).sort()).toEqual(
      orderIds.map((_, number) => `ama${number}@example.com`),
    );
    const reads = [...runsBySql].filter(([sql]) => sql.startsWith("select"));
    for (const table of ["orders", "order_lines", "payments", "events", "message_settings"]) {
      const ofTable = reads.filter(([sql]) => sql.includes(`from "${table}"`));
      expect([table, ofTable.map(([, runs]) => runs)]).toEqual([table, [1]]);
    }
  });

  it("are sent with what is stored then, also when they wait for longer than a second", async () => {
    const { emails } = stubMessageProviders();
    const { shop } = await createShopWithMessages();
    const provider = fetch;
    vi.stubGlobal("fetch", async (...args: Parameters<typeof fetch>) => {
      if (emails.length === 0) {
        vi.setSystemTime(start + 2 * second);
        await selectRows(
          shop,
          `insert or ignore into message_templates (business_id, name, is_enabled, updated_at)
            values (?, 'order.confirmation', 0, 0)`,
          shop.business.id,
        );
      }
      return provider(...args);
    });
    await sendMessagesOf(shop);
    const rows = await listMessageRows(shop);
    const skipped = rows.filter(({ error }) => error === "disabled");
    expect(emails.length).toBeGreaterThan(0);
    expect(skipped.length).toBeGreaterThan(0);
    expect(emails.length + skipped.length).toBe(orderCount);
  });

  it("are left to another run when their leases have ended before their turns", async () => {
    const { emails } = stubMessageProviders();
    const { shop } = await createShopWithMessages();
    const provider = fetch;
    vi.stubGlobal("fetch", async (...args: Parameters<typeof fetch>) => {
      vi.setSystemTime(start + 2 * minute);
      return provider(...args);
    });
    await sendMessagesOf(shop);
    expect(emails.length).toBeLessThan(orderCount);
    const rows = await listMessageRows(shop);
    expect(rows.filter(({ status }) => status === "sent")).toHaveLength(emails.length);
    await sendMessagesOf(shop);
    expect(emails).toHaveLength(orderCount);
  });

  it("go out although the order of one cannot be read", async () => {
    const { emails } = stubMessageProviders();
    const { shop, orderIds } = await createShopWithMessages();
    const [unreadable] = orderIds;
    await selectRows(shop, "update orders set tax_lines = '{' where id = ?", unreadable);
    await sendMessagesOf(shop);
    expect(emails).toHaveLength(orderCount - 1);
    const rows = await listMessageRows(shop);
    expect(rows.filter(({ status }) => status !== "sent")).toMatchObject([
      { order_id: unreadable, status: "queued", error: "internal error", attempts: 1 },
    ]);
  });

  it("are stored as sent while another business of their shard is being moved", async () => {
    const { emails } = stubMessageProviders();
    const { shop, orderIds } = await createShopWithMessages();
    const moved = await createShopOnShard(shop.business.shard);
    const provider = fetch;
    vi.stubGlobal("fetch", async (...args: Parameters<typeof fetch>) => {
      await selectRows(
        moved,
        "insert or ignore into business_fences (business_id, move_id, state) values (?, 'mov', 'closed')",
        moved.business.id,
      );
      return provider(...args);
    });
    await runAllJobs({ ...env, ...providerSettings });
    expect(emails).toHaveLength(orderIds.length + 1);
    expect((await listMessageRows(shop)).map(({ status }) => status)).toEqual(
      orderIds.map(() => "sent"),
    );
    expect(await listMessageRows(moved)).toMatchObject([{ status: "queued", attempts: 1 }]);
    await selectRows(moved, "delete from business_fences where business_id = ?", moved.business.id);
  });

  it("are stored as sent although the outcome of one cannot be stored", async () => {
    const { emails } = stubMessageProviders();
    const { shop, orderIds } = await createShopWithMessages();
    const [refused] = orderIds;
    await selectRows(
      shop,
      `create trigger refuse_outcome before update on messages
        when new.status = 'sent' and new.order_id = '${refused}'
        begin select raise(abort, 'refused'); end`,
    );
    await sendMessagesOf(shop).finally(() => selectRows(shop, "drop trigger refuse_outcome"));
    expect(emails).toHaveLength(orderCount);
    const rows = await listMessageRows(shop);
    expect(rows.filter(({ status }) => status !== "sent")).toMatchObject([
      { order_id: refused, status: "queued", attempts: 1 },
    ]);
    vi.setSystemTime(start + 2 * minute);
    await sendMessagesOf(shop);
    expect(emails).toHaveLength(orderCount);
    expect((await listMessageRows(shop)).every(({ status }) => status === "sent")).toBe(true);
  });
});
