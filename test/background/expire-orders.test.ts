import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { claimExpiredOrders, orderRepo, recordCharge } from "../../shared/orders/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { cronFor } from "../support/cron.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { type Answer, contextFor, givenBusiness, merchant, shopper } from "../support/world.ts";

const start = Date.parse("2030-05-01T12:00:00Z");
const minutes = (count: number) => start + count * 60_000;

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await givenBusiness();
  product = await givenProduct(shop, { inventoryType: "tracked" });
  await givenStock(shop, product, 50);
});

const dataOf = ({ body }: Answer) => Object(body).data;

/** An order paid with mobile money; the phone's last digit decides what becomes of it. */
async function ordered(lastDigit: string, method = "mobile_money") {
  const ask = shopper(shop);
  const { id } = dataOf(
    await ask("POST", "/cart/items", { body: { item_id: product.id, quantity: 2 } }),
  );
  return ask("POST", "/checkout", {
    body: {
      cart_id: id,
      customer: { phone: "0241234567" },
      payment_method: method,
      mobile_money_details: { phone_number: `024123456${lastDigit}`, provider: "mtn" },
    },
  });
}

const cron = () => cronFor(shop);

const state = async () => ({
  orders: await rowsOf(
    shop,
    "select status, payment_status from orders where business_id = ?",
    shop.business.id,
  ),
  reserved: (
    await rowsOf(shop, "select quantity_reserved from stock_levels where item_id = ?", product.id)
  )[0]?.quantity_reserved,
});

describe("an order whose payment does not arrive", () => {
  it("is cancelled 30 minutes after checkout, gives its stock back, and tells so", async () => {
    await ordered("1");
    vi.setSystemTime(minutes(29));
    await cron();
    expect(await state()).toEqual({
      orders: [{ status: "pending", payment_status: "requires_action" }],
      reserved: 2,
    });
    vi.setSystemTime(minutes(30));
    await cron();
    expect(await state()).toEqual({
      orders: [{ status: "cancelled", payment_status: "cancelled" }],
      reserved: 0,
    });
    expect(await eventsOf(shop)).toEqual(["order.created", "order.cancelled"]);
  });

  it("is cancelled once, however often the job runs, also at once", async () => {
    await ordered("1");
    vi.setSystemTime(minutes(31));
    await Promise.all([cron(), cron(), cron()]);
    await cron();
    expect(await state()).toMatchObject({ reserved: 0 });
    expect((await eventsOf(shop)).filter((type) => type === "order.cancelled")).toHaveLength(1);
  });

  it("stays when the money arrived unheard: the provider is asked first", async () => {
    const { order_id: id } = dataOf(await ordered("1"));
    await rowsOf(shop, "update sandbox_charges set status = 'captured' where order_id = ?", id);
    vi.setSystemTime(minutes(31));
    await cron();
    expect(await state()).toEqual({
      orders: [{ status: "confirmed", payment_status: "captured" }],
      reserved: 2,
    });
  });

  it("is cancelled while the shopper's phone still waits: the job confirms nothing", async () => {
    await ordered("2");
    vi.setSystemTime(minutes(31));
    await cron();
    expect(await state()).toEqual({
      orders: [{ status: "cancelled", payment_status: "cancelled" }],
      reserved: 0,
    });
  });

  it("keeps money that arrives while it is cancelled, to be refunded", async () => {
    const order = dataOf(await ordered("1"));
    vi.setSystemTime(minutes(31));
    await cron();
    const ctx = { ...contextFor(shop), providerFor: () => null };
    const cancelled = await orderRepo(ctx).get(order.order_id);
    const captured = {
      type: "captured",
      amountMinor: cancelled.payment.amountMinor,
      currency: cancelled.payment.currency,
    } as const;
    await recordCharge(ctx, cancelled, {
      result: captured,
      reference: cancelled.payment.reference,
    });
    expect((await state()).orders).toEqual([{ status: "cancelled", payment_status: "captured" }]);
    expect(await eventsOf(shop)).toContain("payment.completed");
  });

  it("stands in nobody's way while it cannot be ended: it is taken up again a minute later", async () => {
    const { order_id: id } = dataOf(await ordered("1"));
    const { db } = contextFor(shop);
    const takenUp = async (now: number) =>
      (await claimExpiredOrders(db, { now, limit: 1_000 })).some((order) => order.id === id);
    expect(await takenUp(minutes(30) - 1)).toBe(false);
    expect(await takenUp(minutes(30))).toBe(true);
    expect(await takenUp(minutes(31) - 1)).toBe(false);
    expect(await takenUp(minutes(31))).toBe(true);
  });

  it("is cancelled also when the business has moved it on, unless it is completed", async () => {
    const taken = dataOf(await ordered("1"));
    const done = dataOf(await ordered("1"));
    for (const [{ order_id: id }, status] of [
      [taken, "preparing"],
      [done, "completed"],
    ] as const) {
      await merchant(shop)("POST", `/orders/${id}/status`, { body: { status } });
    }
    vi.setSystemTime(minutes(30));
    await cron();
    expect(await state()).toEqual({
      orders: [
        { status: "cancelled", payment_status: "cancelled" },
        { status: "completed", payment_status: "requires_action" },
      ],
      reserved: 0,
    });
  });

  it("stays when it is to be paid in cash, or is paid", async () => {
    await ordered("0", "cash");
    await ordered("0");
    vi.setSystemTime(minutes(60));
    await cron();
    expect((await state()).orders.map(({ status }) => status).sort()).toEqual([
      "confirmed",
      "pending",
    ]);
  });
});
