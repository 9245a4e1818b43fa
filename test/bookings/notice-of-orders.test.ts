import { beforeEach, describe, expect, it, vi } from "vitest";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { merchant, shopper } from "../support/world.ts";
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
  rescheduleBooking,
  ruleOf,
  type ShopperClient,
} from "./create-booking.ts";

let shop: BookingShop;
let guest: ShopperClient;
let service: { product_id: string };

beforeEach(async () => {
  shop = await createBookingShop();
  guest = shopper(shop);
  service = await createService(shop, { cancellation_notice_minutes: 60 });
});

type OrderRef = Pick<PlacedBooking, "orderId" | "token">;

const cancelOrder = ({ orderId, token }: OrderRef, headers = {}) =>
  guest("POST", `/orders/${orderId}/cancel?token=${token}`, { body: {}, headers });

const reopenCart = ({ orderId, token }: OrderRef) =>
  guest("POST", `/orders/${orderId}/reopen-cart?token=${token}`);

const askMerchant = (path: string, body: object = {}) => merchant(shop)("POST", path, { body });

const readOrder = ({ orderId, token }: OrderRef) =>
  requireData(guest("GET", `/orders/${orderId}?token=${token}`));

const countRefunds = async () =>
  (await selectRows(shop, "select id from refunds where business_id = ?", shop.business.id)).length;

const tooLate = {
  status: 422,
  body: {
    error: {
      context: { rule: "CANCELLATION_WINDOW_CLOSED", cancellation_notice_minutes: 60 },
    },
  },
};

const setTime = (time: string) => vi.setSystemTime(Date.parse(time));

describe("the order of a booking", () => {
  it("is cancelled and refunded by its customer until the notice period begins", async () => {
    const placed = await createBooking(shop, service, { when: at(12) });
    setTime(at(11));
    await requireData(cancelOrder(placed));
    expect(await readOrder(placed)).toMatchObject({ payment_status: "refunded" });
  });

  it.each([
    ["inside the notice period", at(11, 1)],
    ["after the appointment", at(15)],
  ])("is not cancelled by its customer %s", async (_, time) => {
    const placed = await createBooking(shop, service, { when: at(12) });
    setTime(time);
    expect(await cancelOrder(placed)).toMatchObject(tooLate);
    expect(await cancelBooking(guest, placed)).toMatchObject(tooLate);
    expect(await rescheduleBooking(guest, placed, at(17))).toMatchObject(tooLate);
    expect(await readOrder(placed)).toMatchObject({
      status: "confirmed",
      payment_status: "succeeded",
      bookings: [{ status: "confirmed" }],
    });
    expect(await countRefunds()).toBe(0);
  });

  it("is not cancelled by its customer when one of several bookings is inside its notice", async () => {
    await requireData(addSlotToCart(guest, service, at(12)));
    await requireData(addSlotToCart(guest, service, at(16)));
    const tea = await createProduct(shop, { defaultPriceMinor: 900 });
    await requireData(guest("POST", "/cart/items", { body: { item_id: tea.id } }));
    const { order_id, bill_token } = await requireData(checkOut(guest, mobileMoney(0)));
    setTime(at(11, 30));
    expect(await cancelOrder({ orderId: order_id, token: bill_token })).toMatchObject(tooLate);
    expect(await countRefunds()).toBe(0);
  });

  it("is not cancelled by its customer once the appointment took place", async () => {
    const placed = await createBooking(shop, service, { when: at(12) });
    await requireData(askMerchant(`/bookings/${placed.booking.id}/status`, { status: "no_show" }));
    expect(await cancelOrder(placed)).toMatchObject(tooLate);
    expect(await countRefunds()).toBe(0);
  });

  it("is not cancelled by its customer when the business cancelled the booking late and kept the money", async () => {
    const placed = await createBooking(shop, service, { when: at(12) });
    setTime(at(11, 30));
    await requireData(askMerchant(`/bookings/${placed.booking.id}/cancel`));
    expect(await cancelOrder(placed)).toMatchObject(tooLate);
    expect(await countRefunds()).toBe(0);
  });

  it("is cancelled by its customer when the booking was cancelled in time", async () => {
    const placed = await createBooking(shop, service, { when: at(12) });
    await requireData(cancelBooking(guest, placed));
    setTime(at(13));
    expect(await cancelOrder(placed)).toMatchObject({ status: 200 });
  });

  it("is cancelled and refunded by the business at any time", async () => {
    const placed = await createBooking(shop, service, { when: at(12) });
    setTime(at(15));
    await requireData(askMerchant(`/orders/${placed.orderId}/cancel`));
    expect(await readOrder(placed)).toMatchObject({
      status: "cancelled",
      payment_status: "refunded",
    });
  });

  it("to be paid in cash neither ends nor goes back to the cart inside the notice period", async () => {
    const placed = await createBooking(shop, service, { when: at(12), pay: cash });
    setTime(at(11, 30));
    expect(await cancelOrder(placed)).toMatchObject(tooLate);
    expect(await reopenCart(placed)).toMatchObject(tooLate);
    expect(await readOrder(placed)).toMatchObject({
      status: "pending",
      bookings: [{ status: "pending" }],
    });
    expect(await requireData(guest("GET", "/cart"))).toMatchObject({ items: [] });
  });

  it("that is still to be paid online ends at any time, because nothing was agreed yet", async () => {
    setTime(at(11, 30));
    const first = await createBooking(shop, service, { when: at(12), pay: mobileMoney(1) });
    expect(await cancelOrder(first)).toMatchObject({ status: 200 });
    const second = await createBooking(shop, service, { when: at(12), pay: mobileMoney(1) });
    const line = { hold_expires_at: at(11, 40) };
    expect(await reopenCart(second)).toMatchObject({
      status: 200,
      body: { data: { items: [line] } },
    });
  });

  it("stays and is paid when the money arrived before the late cancellation", async () => {
    const placed = await createBooking(shop, service, { when: at(12), pay: mobileMoney(2) });
    await selectRows(
      shop,
      "update sandbox_charges set status = 'captured' where order_id = ?",
      placed.orderId,
    );
    setTime(at(11, 30));
    expect(await cancelOrder(placed)).toMatchObject(tooLate);
    expect(await readOrder(placed)).toMatchObject({
      status: "confirmed",
      payment_status: "succeeded",
      bookings: [{ status: "confirmed" }],
    });
    expect(await countRefunds()).toBe(0);
  });

  it("answers a repeat of a cancellation in time as before, also inside the notice period", async () => {
    const placed = await createBooking(shop, service, { when: at(12) });
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const first = await cancelOrder(placed, key);
    setTime(at(11, 30));
    const again = await cancelOrder(placed, key);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(await countRefunds()).toBe(1);
    expect(ruleOf(await cancelOrder(placed))).toEqual([422, "ORDER_NOT_CANCELLABLE"]);
  });
});
