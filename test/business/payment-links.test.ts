import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { day, hour, minute } from "../../shared/kernel/index.ts";
import { createKey } from "../support/create-key.ts";
import { createOrder, readStockQuantities } from "../support/create-order.ts";
import { createShopWithStock, ruleViolation } from "../support/create-shop-with-stock.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, merchant, roundTrips } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  ({ shop, product, merchant: ask } = await createShopWithStock());
});

const createLink = (id: string, { key }: { key?: string } = {}) =>
  ask("POST", `/orders/${id}/payment-link`, {
    ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
  });

const loadOrder = async (id: string) => dataOf(await ask("GET", `/orders/${id}`));

describe("POST /orders/{order_id}/payment-link", () => {
  it("answers with an unguessable address of this host that works for a day after the order", async () => {
    const { id } = await createOrder(shop, product.id, { payWith: "2" });
    const { created_at } = await loadOrder(id);
    const link = await createLink(id);
    expect(link).toMatchObject({
      status: 200,
      body: {
        data: {
          url: expect.stringMatching(
            /^https:\/\/duka\.test\/pay\/[0-9a-z]{26}-[0-9a-z]{26}-[0-9a-z]+-[0-9a-f]{32}$/,
          ),
        },
      },
    });
    expect(dataOf(link).expires_at).toBe(
      new Date(Date.parse(created_at) + 24 * hour).toISOString(),
    );
    expect(roundTrips(link)).toMatchObject({ d1: 2, do: 0 });
    expect(await listAuditActions(shop)).toContain("order.payment_link_created");
  });

  it("keeps the order and its stock until the link expires, and no longer", async () => {
    const start = Date.parse("2030-05-01T12:00:00Z");
    vi.setSystemTime(start);
    const { id } = await createOrder(shop, product.id, { payWith: "2" });
    const { expires_at } = dataOf(await createLink(id));
    vi.setSystemTime(Date.parse(expires_at) - minute);
    await runJobsUntilIdle(shop);
    expect(await loadOrder(id)).toMatchObject({ status: "pending" });
    vi.setSystemTime(Date.parse(expires_at) + minute);
    await runJobsUntilIdle(shop);
    expect(await loadOrder(id)).toMatchObject({ status: "cancelled" });
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 0]);
  });

  it("never shortens the time that the order has", async () => {
    const { id } = await createOrder(shop, product.id, { payWith: "2" });
    const late = Date.now() + 2 * day;
    await selectRows(shop, "update orders set expires_at = ? where id = ?", late, id);
    expect(dataOf(await createLink(id)).expires_at).toBe(new Date(late).toISOString());
  });

  it("works for seven days for an order in cash, which stays without a limit", async () => {
    vi.setSystemTime(Date.parse("2030-05-01T12:00:00Z"));
    const { id } = await createOrder(shop, product.id, { payWith: "cash" });
    const expiresAt = Date.parse(dataOf(await createLink(id)).expires_at);
    expect(Math.abs(expiresAt - Date.now() - 7 * day)).toBeLessThan(minute);
    expect(await selectRows(shop, "select expires_at from orders where id = ?", id)).toEqual([
      { expires_at: null },
    ]);
  });

  it("gives the same link while its time is the same, and the stored one for a repeated key", async () => {
    const { id } = await createOrder(shop, product.id, { payWith: "2" });
    const first = await createLink(id, { key: "once" });
    expect(dataOf(await createLink(id))).toEqual(dataOf(first));
    const replayed = await createLink(id, { key: "once" });
    expect(replayed.headers.get("idempotency-replayed")).toBe("true");
    expect(replayed.body).toEqual(first.body);
  });

  it("works for each of several calls at once", async () => {
    const { id } = await createOrder(shop, product.id, { payWith: "2" });
    const links = await Promise.all([1, 2, 3].map(() => createLink(id)));
    expect(new Set(links.map((link) => dataOf(link).url)).size).toBe(1);
  });

  it("is refused for a paid, an accepted and a cancelled order, and for one whose time is over", async () => {
    const paid = await createOrder(shop, product.id);
    expect(await createLink(paid.id)).toMatchObject(ruleViolation("INVALID_STATE"));
    const accepted = await createOrder(shop, product.id, { payWith: "cash" });
    await ask("POST", `/orders/${accepted.id}/status`, { body: { status: "confirmed" } });
    expect(await createLink(accepted.id)).toMatchObject(ruleViolation("INVALID_STATE"));
    const cancelled = await createOrder(shop, product.id, { payWith: "cash" });
    await ask("POST", `/orders/${cancelled.id}/cancel`, { body: {} });
    expect(await createLink(cancelled.id)).toMatchObject(ruleViolation("INVALID_STATE"));
    const overdue = await createOrder(shop, product.id, { payWith: "2" });
    await selectRows(
      shop,
      "update orders set created_at = created_at - ?, expires_at = 1 where id = ?",
      2 * day,
      overdue.id,
    );
    expect(await createLink(overdue.id)).toMatchObject(ruleViolation("INVALID_STATE"));
  });

  it("needs the scope orders:write, and is 404 for another business's order", async () => {
    const { id } = await createOrder(shop, product.id, { payWith: "2" });
    const headers = { "X-API-Key": await createKey(shop, { scopes: ["orders:read"] }) };
    expect(await ask("POST", `/orders/${id}/payment-link`, { headers })).toMatchObject({
      status: 403,
    });
    const other = merchant(await createBusiness());
    expect(await other("POST", `/orders/${id}/payment-link`)).toMatchObject({ status: 404 });
  });
});
