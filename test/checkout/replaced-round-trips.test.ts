import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addSlotToCart, createService, requireData } from "../bookings/create-booking.ts";
import { createDeal } from "../support/create-deal.ts";
import { selectRows } from "../support/select-rows.ts";
import { type ApiClient, type ApiResponse, roundTrips, shopper } from "../support/world.ts";
import {
  createTeaShop,
  expireCaches,
  maxRoundTrips,
  methods,
  type TeaPaymentMethod,
  type TeaShop,
} from "./create-tea-shop.ts";

let shop: TeaShop;
let ask: ApiClient;

const sql = (query: string, ...values: unknown[]) =>
  selectRows(shop.shop, query, shop.shop.business.id, ...values);

/** The orders of the last shopper, the oldest first. */
const listOrders = () =>
  sql(
    `select id, status, payment_status, total_price_minor from orders
      where business_id = ?1 and session_id = (select session_id from orders
        where business_id = ?1 order by created_at desc, id desc limit 1)
      order by created_at, status`,
  );

const listStatuses = async () => (await listOrders()).map(({ status }) => status);

const sumReserved = async () => {
  const [row] = await sql(
    "select sum(quantity_reserved) as pieces from stock_levels where business_id = ?",
  );
  return row?.pieces;
};

/** A checkout that leaves an unpaid order; the phone's last digit decides the sandbox's response. */
const leaveUnpaid = (digit: 3 | 4): Promise<ApiResponse> =>
  shop.checkOut(
    ask,
    "mobile money",
    { mobile_money_details: { phone_number: `024123456${digit}`, provider: "mtn" } },
    "earlier",
  );

const replaceOrder = (method: TeaPaymentMethod): Promise<ApiResponse> =>
  shop.checkOut(ask, method, {}, "in-its-place");

const replacementCases = methods.flatMap((method) =>
  [false, true].map((isForgotten) => ({
    method,
    isForgotten,
    d1: method === "cash" ? 2 : maxRoundTrips,
    sold: method === "cash" ? "pending" : "confirmed",
  })),
);

const replacementTitle = "by $method, catalogue not cached: $isForgotten";

beforeAll(async () => {
  shop = await createTeaShop();
});

beforeEach(async () => {
  await shop.reset();
  ask = shopper(shop.shop);
});

describe.each([
  { name: "was declined", digit: 3 as const },
  { name: "got no answer", digit: 4 as const },
])("POST /checkout of a changed cart that replaces one that $name", ({ digit }) => {
  it.each(replacementCases)(replacementTitle, async ({ method, isForgotten, d1, sold }) => {
    await shop.add(ask, 1);
    expect(await leaveUnpaid(digit)).toMatchObject({ status: 503 });
    await shop.add(ask, 1);
    if (isForgotten) expireCaches();
    const answer = await replaceOrder(method);
    await shop.expectSold(ask, answer, { total: "200.00", d1 });
    expect(await listStatuses()).toEqual(["cancelled", sold]);
    expect(await sumReserved()).toBe(2);
  });
});

describe("POST /checkout that replaces an unpaid order", () => {
  it("finds the sale when the earlier order was paid after all", async () => {
    await shop.add(ask, 1);
    expect(await leaveUnpaid(3)).toMatchObject({ status: 503 });
    const captured = `update sandbox_charges set status = 'captured'
      where order_id in (select id from orders where business_id = ?) returning 1`;
    await sql(captured);
    expireCaches();
    const answer = await replaceOrder("mobile money");
    expect(answer).toMatchObject({ status: 404 });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(maxRoundTrips);
    expect(await listOrders()).toMatchObject([{ status: "confirmed", payment_status: "captured" }]);
    expect(await requireData(ask("GET", "/cart"))).toMatchObject({ item_count: 0 });
  });

  it("is refused without enough stock, and leaves the earlier order unchanged", async () => {
    await shop.add(ask, 2);
    expect(await leaveUnpaid(3)).toMatchObject({ status: 503 });
    await shop.add(ask, 1);
    await shop.setTeaStock(shop.elsewhere, 0);
    const refused = await replaceOrder("mobile money");
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "OUT_OF_STOCK", quantity_available: 2 } } },
    });
    expect(roundTrips(refused).d1).toBeLessThanOrEqual(maxRoundTrips);
    expect(await listOrders()).toMatchObject([{ status: "pending", payment_status: "failed" }]);
    expect(await sumReserved()).toBe(2);
    expect(await leaveUnpaid(3)).toMatchObject({ status: 503 }); // it can still be gone on with
    expect(await listStatuses()).toEqual(["pending"]);
  });

  it("cancels the earlier order in the placing batch or not at all", async () => {
    await shop.add(ask, 1);
    expect(await leaveUnpaid(3)).toMatchObject({ status: 503 });
    await selectRows(
      shop.shop,
      "create trigger outage before insert on payments begin select raise(abort, 'Network connection lost.'); end",
    );
    const failed = await replaceOrder("mobile money");
    await selectRows(shop.shop, "drop trigger outage");
    expect(failed).toMatchObject({ status: 503, body: { error: { retryable: true } } });
    expect(await listStatuses()).toEqual(["pending"]);
    expireCaches();
    const answer = await replaceOrder("mobile money");
    await shop.expectSold(ask, answer, { total: "100.00", d1: maxRoundTrips });
    expect(await listStatuses()).toEqual(["cancelled", "confirmed"]);
    expect(await sumReserved()).toBe(1);
  });
});

describe("POST /checkout that replaces an order holding all stock, slots and uses", () => {
  let massage: Awaited<ReturnType<typeof createService>>;
  let hour = 9;

  beforeAll(async () => {
    massage = await createService(shop.shop);
    await createDeal(shop.shop, { value: "20", perCustomerLimit: 1 });
    await createDeal(shop.shop, { code: "ONE", value: "50", usageLimit: 1 });
  });

  /** The last units, the last seat of a slot, and the only use of each deal. */
  beforeEach(async () => {
    hour += 1;
    await shop.setTeaStock(shop.elsewhere, 0);
    await sql("update deals set times_redeemed = 0 where business_id = ? returning id");
    const [home] = shop.shop.business.locations;
    await requireData(
      addSlotToCart(ask, massage, `2030-05-07T${hour}:00:00.000Z`, { location_id: home?.id }),
    );
    await shop.add(ask, 2);
    await requireData(ask("POST", "/cart/coupons", { body: { coupon_code: "ONE" } }));
  });

  it.each(replacementCases)(replacementTitle, async ({ method, isForgotten, d1, sold }) => {
    expect(await leaveUnpaid(3)).toMatchObject({ status: 503 });
    if (isForgotten) expireCaches();
    const answer = await replaceOrder(method);
    await shop.expectSold(ask, answer, { total: "112.00", d1 });
    expect(await listOrders()).toMatchObject([
      { status: "cancelled", total_price_minor: 11_200 },
      { status: sold, total_price_minor: 11_200 },
    ]);
    expect(await sumReserved()).toBe(2);
  });
});
