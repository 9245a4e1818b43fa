import { beforeEach, describe, expect, it } from "vitest";
import { selectRows } from "../support/select-rows.ts";
import { shopper } from "../support/world.ts";
import {
  addSlotToCart,
  at,
  type BookingShop,
  cash,
  checkOut,
  createBookingShop,
  createService,
  createStaffMember,
  listSlotAllocations,
  mobileMoney,
  requireData,
  ruleOf,
  type ShopperClient,
} from "./create-booking.ts";

let shop: BookingShop;
let ask: ShopperClient;

beforeEach(async () => {
  shop = await createBookingShop();
  ask = shopper(shop);
});

const readOrderStatuses = async () =>
  (
    await selectRows(
      shop,
      "select status, payment_status from orders where business_id = ? order by created_at, id",
      shop.business.id,
    )
  ).map(({ status, payment_status }) => [status, payment_status]);

/** Creates an order whose payment was declined; it keeps its slot. */
async function createDeclinedOrder(fields: object = {}) {
  const service = await createService(shop, fields);
  const { item } = await requireData(addSlotToCart(ask, service, at(9)));
  expect((await checkOut(ask, mobileMoney(3), "first")).status).toBe(503);
  return { service, item };
}

/** Creates an order whose payment failed at the third wrong code. */
async function createFailedPayment() {
  const service = await createService(shop);
  await requireData(addSlotToCart(ask, service, at(9)));
  const { payment_id } = await requireData(checkOut(ask, mobileMoney(1)));
  for (let tries = 1; tries <= 3; tries += 1) {
    await ask("POST", "/payments/authorization", {
      body: { payment_id, authorization: { type: "otp", value: "000000" } },
    });
  }
  return service;
}

describe("a slot that the shopper's own unpaid order occupies", () => {
  it("can be added to the cart again after its line was removed", async () => {
    const { service, item } = await createDeclinedOrder();
    await requireData(ask("DELETE", `/cart/items/${item.id}`));
    await requireData(addSlotToCart(ask, service, at(9)));
    expect(await readOrderStatuses()).toEqual([["cancelled", "cancelled"]]);
    expect((await checkOut(ask, cash, "second")).status).toBe(200);
    expect(await listSlotAllocations(shop)).toEqual([["booking", 1, at(9)]]);
  });

  it("can be held for more participants with the same staff member", async () => {
    const staff_ids = [await createStaffMember(shop)];
    const { item } = await createDeclinedOrder({ capacity: 2, staff_ids });
    await requireData(ask("PATCH", `/cart/items/${item.id}`, { body: { quantity: 2 } }));
    expect(await listSlotAllocations(shop)).toEqual([["hold", 2, at(9)]]);
  });

  it("can be held after the payment of the order failed", async () => {
    const service = await createFailedPayment();
    await requireData(addSlotToCart(ask, service, at(9)));
    expect(await listSlotAllocations(shop)).toEqual([["hold", 1, at(9)]]);
    expect(await readOrderStatuses()).toEqual([["cancelled", "cancelled"]]);
  });

  it("stays unavailable to other shoppers", async () => {
    const service = await createFailedPayment();
    expect(ruleOf(await addSlotToCart(shopper(shop), service, at(9)))).toEqual([
      422,
      "SLOT_UNAVAILABLE",
    ]);
    expect(await readOrderStatuses()).toEqual([["pending", "failed"]]);
  });

  it("stays with an order that is paid or can still be paid", async () => {
    for (const [pay, status] of [
      [mobileMoney(2), "pending"],
      [mobileMoney(0), "confirmed"],
    ] as const) {
      const service = await createService(shop);
      await requireData(addSlotToCart(ask, service, at(9)));
      await requireData(checkOut(ask, pay));
      expect(ruleOf(await addSlotToCart(ask, service, at(9)))).toEqual([422, "SLOT_UNAVAILABLE"]);
      expect((await readOrderStatuses()).at(-1)?.[0]).toBe(status);
    }
  });

  it("keeps its order when another slot is requested", async () => {
    const { service } = await createDeclinedOrder();
    await requireData(addSlotToCart(ask, service, at(11)));
    await requireData(addSlotToCart(shopper(shop), service, at(12)));
    expect(ruleOf(await addSlotToCart(ask, service, at(12)))).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect(await readOrderStatuses()).toEqual([["pending", "failed"]]);
  });
});
