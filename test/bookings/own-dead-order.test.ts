import { beforeEach, describe, expect, it } from "vitest";
import { rowsOf } from "../support/shop-database.ts";
import { shopper } from "../support/world.ts";
import {
  type Ask,
  at,
  book,
  cash,
  checkOut,
  claimsOf,
  givenService,
  givenShop,
  givenStaff,
  had,
  mobileMoney,
  ruleOf,
  type Shop,
} from "./given.ts";

let shop: Shop;
let ask: Ask;

beforeEach(async () => {
  shop = await givenShop();
  ask = shopper(shop);
});

const orders = async () =>
  (
    await rowsOf(
      shop,
      "select status, payment_status from orders where business_id = ? order by created_at, id",
      shop.business.id,
    )
  ).map(({ status, payment_status }) => [status, payment_status]);

/** A slot in a cart whose checkout was declined: its order keeps the place. */
async function givenDeclined(fields: object = {}) {
  const service = await givenService(shop, fields);
  const { item } = await had(book(ask, service, at(9)));
  expect((await checkOut(ask, mobileMoney(3), "first")).status).toBe(503);
  return { service, item };
}

/** A checkout that was started, and whose payment failed at the third wrong code. */
async function givenFailed() {
  const service = await givenService(shop);
  await had(book(ask, service, at(9)));
  const { payment_id } = await had(checkOut(ask, mobileMoney(1)));
  for (let tries = 1; tries <= 3; tries += 1) {
    await ask("POST", "/payments/authorization", {
      body: { payment_id, authorization: { type: "otp", value: "000000" } },
    });
  }
  return service;
}

describe("a slot that the shopper's own unpaid order has", () => {
  it("can be put into the cart again after its line was taken out", async () => {
    const { service, item } = await givenDeclined();
    await had(ask("DELETE", `/cart/items/${item.id}`));
    await had(book(ask, service, at(9)));
    expect(await orders()).toEqual([["cancelled", "cancelled"]]);
    expect((await checkOut(ask, cash, "second")).status).toBe(200);
    expect(await claimsOf(shop)).toEqual([["booking", 1, at(9)]]);
  });

  it("can be had for more participants, and of the same staff member", async () => {
    const staff_ids = [await givenStaff(shop)];
    const { item } = await givenDeclined({ capacity: 2, staff_ids });
    await had(ask("PATCH", `/cart/items/${item.id}`, { body: { quantity: 2 } }));
    expect(await claimsOf(shop)).toEqual([["hold", 2, at(9)]]);
  });

  it("can be had once the payment of a started checkout has failed", async () => {
    const service = await givenFailed();
    await had(book(ask, service, at(9)));
    expect(await claimsOf(shop)).toEqual([["hold", 1, at(9)]]);
    expect(await orders()).toEqual([["cancelled", "cancelled"]]);
  });

  it("is still taken from everybody else's point of view", async () => {
    const service = await givenFailed();
    expect(ruleOf(await book(shopper(shop), service, at(9)))).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect(await orders()).toEqual([["pending", "failed"]]);
  });

  it("stays the order's while that can still be paid, or is", async () => {
    for (const [pay, status] of [
      [mobileMoney(2), "pending"],
      [mobileMoney(0), "confirmed"],
    ] as const) {
      const service = await givenService(shop);
      await had(book(ask, service, at(9)));
      await had(checkOut(ask, pay));
      expect(ruleOf(await book(ask, service, at(9)))).toEqual([422, "SLOT_UNAVAILABLE"]);
      expect((await orders()).at(-1)?.[0]).toBe(status);
    }
  });

  it("keeps an order that is in nobody's way: its key still charges it", async () => {
    const { service } = await givenDeclined();
    await had(book(ask, service, at(11)));
    await had(book(shopper(shop), service, at(12)));
    expect(ruleOf(await book(ask, service, at(12)))).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect(await orders()).toEqual([["pending", "failed"]]);
  });
});
