import { beforeEach, describe, expect, it, vi } from "vitest";
import { minute } from "../../shared/kernel/index.ts";
import { bookedOrderRepo, cancelBooking as cancelBookingOf } from "../../shared/orders/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createOrderContext } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { Crash, crashAtEffect } from "../support/faults.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { changeSettings } from "../support/settings.ts";
import { merchant, roundTrips, shopper } from "../support/world.ts";
import {
  addSlotToCart,
  at,
  type BookingShop,
  cancelBooking,
  cash,
  checkOut,
  createBooking,
  createBookingShop,
  createService,
  mobileMoney,
  type PlacedBooking,
  requireData,
  ruleOf,
  type ShopperClient,
} from "./create-booking.ts";

let shop: BookingShop;
let guest: ShopperClient;

beforeEach(async () => {
  shop = await createBookingShop();
  guest = shopper(shop);
});

const listRefunds = async () =>
  (
    await selectRows(
      shop,
      "select status, amount_minor from refunds where business_id = ? order by created_at, id",
      shop.business.id,
    )
  ).map(({ status, amount_minor }) => [status, amount_minor]);

const readOrder = ({ orderId, token }: Pick<PlacedBooking, "orderId" | "token">) =>
  requireData(guest("GET", `/orders/${orderId}?token=${token}`));

const refundAsMerchant = ({ orderId }: PlacedBooking, body: object) =>
  merchant(shop)("POST", `/orders/${orderId}/refunds`, { body });

/** Buys two one-hour services and a cup in one order. */
async function createMixedOrder(): Promise<readonly [PlacedBooking, PlacedBooking]> {
  const service = await createService(shop);
  const cup = await createProduct(shop, { defaultPriceMinor: 4_000 });
  await requireData(addSlotToCart(guest, service, at(9)));
  await requireData(addSlotToCart(guest, service, at(11)));
  await requireData(guest("POST", "/cart/items", { body: { item_id: cup.id } }));
  const { order_id: orderId, bill_token: token } = await requireData(
    checkOut(guest, mobileMoney(0)),
  );
  const { bookings } = await readOrder({ orderId, token });
  const [first, second] = bookings;
  const placed = { ask: guest, orderId: String(orderId), token: String(token) };
  return [
    { ...placed, booking: first },
    { ...placed, booking: second },
  ];
}

describe("a paid booking that is cancelled in time", () => {
  it("is refunded, and the payment says so", async () => {
    const placed = await createBooking(shop, await createService(shop));
    const answer = await cancelBooking(guest, placed);
    expect(answer.status).toBe(200);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(3);
    expect(await listRefunds()).toEqual([["refunded", 8_000]]);
    expect(await readOrder(placed)).toMatchObject({
      status: "confirmed",
      payment_status: "refunded",
      bookings: [{ status: "cancelled" }],
    });
    expect((await listOutboxEventTypes(shop)).slice(-2)).toEqual([
      "booking.cancelled",
      "payment.refunded",
    ]);
  });

  it("is refunded once when the call is repeated with its key, and without", async () => {
    const placed = await createBooking(shop, await createService(shop));
    const key = { "Idempotency-Key": crypto.randomUUID() };
    await cancelBooking(guest, placed, {}, key);
    await cancelBooking(guest, placed, {}, key);
    expect(ruleOf(await cancelBooking(guest, placed))).toEqual([422, "INVALID_STATE"]);
    expect(await listRefunds()).toEqual([["refunded", 8_000]]);
  });

  it("is refunded with its share of discount and tax, and the other lines are not", async () => {
    await changeSettings(shop, { tax: { ratePercent: "10", isInclusive: false } });
    await createDeal(shop, { value: "50" });
    const [first, second] = await createMixedOrder(); // (80 + 80 + 40) / 2 + 10 %
    await cancelBooking(guest, first);
    expect(await listRefunds()).toEqual([["refunded", 4_400]]);
    expect(await readOrder(first)).toMatchObject({ payment_status: "partially_refunded" });
    await cancelBooking(guest, second);
    expect(await listRefunds()).toEqual([
      ["refunded", 4_400],
      ["refunded", 4_400],
    ]);
    expect(ruleOf(await refundAsMerchant(first, { amount: "22.01" }))).toEqual([
      422,
      "REFUND_TOO_LARGE",
    ]);
  });

  it("is not refunded beyond what the business has refunded before", async () => {
    const [first, second] = await createMixedOrder();
    await requireData(refundAsMerchant(first, { amount: "80" }));
    await cancelBooking(guest, first);
    expect(await listRefunds()).toEqual([["refunded", 8_000]]);
    await cancelBooking(guest, second);
    expect(await listRefunds()).toEqual([
      ["refunded", 8_000],
      ["refunded", 8_000],
    ]);
  });

  it("is refunded as far as a part of the payment is left", async () => {
    const placed = await createBooking(shop, await createService(shop));
    await requireData(refundAsMerchant(placed, { amount: "30" }));
    await cancelBooking(guest, placed);
    expect(await listRefunds()).toEqual([
      ["refunded", 3_000],
      ["refunded", 5_000],
    ]);
  });

  it("is to be returned by the business when it was paid in cash", async () => {
    const placed = await createBooking(shop, await createService(shop), { pay: cash });
    await requireData(
      merchant(shop)("POST", `/orders/${placed.orderId}/payments/mark-paid`, { body: {} }),
    );
    await cancelBooking(guest, placed);
    expect(await listRefunds()).toEqual([["refund_due", 8_000]]);
    expect((await listOutboxEventTypes(shop)).at(-1)).toBe("booking.cancelled");
    const merchantAsk = merchant(shop);
    const { payment } = await requireData(merchantAsk("GET", `/orders/${placed.orderId}`));
    const path = `/orders/${placed.orderId}/refunds/${payment.refunds[0].id}/mark-paid`;
    await requireData(merchantAsk("POST", path));
    expect(await listRefunds()).toEqual([["refunded", 8_000]]);
    expect((await listOutboxEventTypes(shop)).at(-1)).toBe("payment.refunded");
  });

  it("is refunded when the business cancels it in time, and not when it cancels it late", async () => {
    const service = await createService(shop, { cancellation_notice_minutes: 60 });
    const early = await createBooking(shop, service, { when: at(9) });
    const late = await createBooking(shop, service, { when: at(12) });
    const cancelAsMerchant = ({ booking }: PlacedBooking) =>
      requireData(merchant(shop)("POST", `/bookings/${booking.id}/cancel`, { body: {} }));
    await cancelAsMerchant(early);
    expect(await listRefunds()).toEqual([["refunded", 8_000]]);
    vi.setSystemTime(Date.parse(at(11, 30)));
    await cancelAsMerchant(late);
    expect(await listRefunds()).toEqual([["refunded", 8_000]]);
  });

  it("is refunded with the rest when its order is cancelled afterwards", async () => {
    const [first] = await createMixedOrder();
    await cancelBooking(guest, first);
    await requireData(
      guest("POST", `/orders/${first.orderId}/cancel?token=${first.token}`, { body: {} }),
    );
    expect(await listRefunds()).toEqual([
      ["refunded", 8_000],
      ["refunded", 12_000],
    ]);
  });

  it("is left to a business that refunds bookings itself", async () => {
    await changeSettings(shop, { bookingRefunds: "manual" });
    const placed = await createBooking(shop, await createService(shop));
    await cancelBooking(guest, placed);
    expect(await listRefunds()).toEqual([]);
    expect(await readOrder(placed)).toMatchObject({ payment_status: "succeeded" });
    await requireData(refundAsMerchant(placed, {}));
    expect(await listRefunds()).toEqual([["refunded", 8_000]]);
  });
});

describe("a booking that is cancelled before its payment arrives", () => {
  it("is refunded when it does", async () => {
    const placed = await createBooking(shop, await createService(shop), { pay: mobileMoney(2) });
    await cancelBooking(guest, placed);
    expect(await listRefunds()).toEqual([]);
    await requireData(
      guest("POST", `/orders/${placed.orderId}/verify-payment?token=${placed.token}`),
    );
    vi.setSystemTime(Date.now() + 2 * minute);
    await runJobsUntilIdle(shop);
    expect(await listRefunds()).toEqual([["refunded", 8_000]]);
    expect(await readOrder(placed)).toMatchObject({ payment_status: "refunded" });
  });
});

describe("a refund of a booking", () => {
  it.each([1, 2, 3])("is done once when the call stops after effect %i", async (effect) => {
    const placed = await createBooking(shop, await createService(shop));
    const ctx = createOrderContext(shop, { crashPoint: crashAtEffect(effect, "after") });
    const booked = await bookedOrderRepo(createOrderContext(shop)).get(
      { id: placed.booking.id },
      { type: "business" },
    );
    const cancellation = { reason: null, initiator: "customer", requestKey: null } as const;
    await cancelBookingOf(ctx, booked, cancellation).catch((error: unknown) => {
      expect(error).toBeInstanceOf(Crash);
    });
    vi.setSystemTime(Date.now() + 2 * minute);
    await runJobsUntilIdle(shop);
    expect(await listRefunds()).toEqual([["refunded", 8_000]]);
    expect(await readOrder(placed)).toMatchObject({ payment_status: "refunded" });
  });

  it("is done once when it runs beside the business's refund and other cancellations", async () => {
    const placed = await createBooking(shop, await createService(shop));
    await Promise.all([
      cancelBooking(guest, placed),
      refundAsMerchant(placed, {}),
      merchant(shop)("POST", `/bookings/${placed.booking.id}/cancel`, { body: {} }),
      refundAsMerchant(placed, { amount: "80" }),
    ]);
    vi.setSystemTime(Date.now() + 2 * minute);
    await runJobsUntilIdle(shop);
    expect(await listRefunds()).toEqual([["refunded", 8_000]]);
    const [row] = await selectRows(
      shop,
      `select sum(amount_minor) as total from sandbox_refunds where reference in
        (select reference from payments where order_id = ?)`,
      placed.orderId,
    );
    expect(row).toEqual({ total: 8_000 });
  });
});
