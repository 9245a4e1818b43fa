import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { book, givenService, had } from "../bookings/given.ts";
import { givenDeal } from "../support/deals.ts";
import { rowsOf } from "../support/shop-database.ts";
import { type Answer, roundTrips, shopper } from "../support/world.ts";
import {
  type Ask,
  forget,
  givenTeaShop,
  type Method,
  methods,
  most,
  type TeaShop,
} from "./trip-shop.ts";

let shop: TeaShop;
let ask: Ask;

const sql = (query: string, ...values: unknown[]) =>
  rowsOf(shop.shop, query, shop.shop.business.id, ...values);

/** The orders of the shopper at hand, the older first. */
const orders = () =>
  sql(
    `select id, status, payment_status, total_price_minor from orders
      where business_id = ?1 and session_id = (select session_id from orders
        where business_id = ?1 order by created_at desc, id desc limit 1)
      order by created_at, status`,
  );

const statuses = async () => (await orders()).map(({ status }) => status);

const reserved = async () => {
  const [row] = await sql(
    "select sum(quantity_reserved) as pieces from stock_levels where business_id = ?",
  );
  return row?.pieces;
};

/** A checkout whose order stands unpaid, by its number's last digit (completions.md 6). */
const unpaid = (digit: 3 | 4): Promise<Answer> =>
  shop.pay(
    ask,
    "mobile money",
    { mobile_money_details: { phone_number: `024123456${digit}`, provider: "mtn" } },
    "earlier",
  );

const inItsPlace = (method: Method): Promise<Answer> => shop.pay(ask, method, {}, "in-its-place");

const everyWay = methods.flatMap((method) =>
  [false, true].map((isForgotten) => ({
    method,
    isForgotten,
    d1: method === "cash" ? 2 : most,
    sold: method === "cash" ? "pending" : "confirmed",
  })),
);

const way = "by $method, the catalogue forgotten: $isForgotten";

beforeAll(async () => {
  shop = await givenTeaShop();
});

beforeEach(async () => {
  await shop.opened();
  ask = shopper(shop.shop);
});

describe.each([
  { name: "was declined", digit: 3 as const },
  { name: "got no answer", digit: 4 as const },
])("POST /checkout of a changed cart, in the place of one that $name", ({ digit }) => {
  it.each(everyWay)(way, async ({ method, isForgotten, d1, sold }) => {
    await shop.add(ask, 1);
    expect(await unpaid(digit)).toMatchObject({ status: 503 });
    await shop.add(ask, 1);
    if (isForgotten) forget();
    const answer = await inItsPlace(method);
    await shop.expectSold(ask, answer, { total: "200.00", d1 });
    expect(await statuses()).toEqual(["cancelled", sold]);
    expect(await reserved()).toBe(2);
  });
});

describe("POST /checkout in the place of one", () => {
  it("finds the sale made where its money came after all", async () => {
    await shop.add(ask, 1);
    expect(await unpaid(3)).toMatchObject({ status: 503 });
    const captured = `update sandbox_charges set status = 'captured'
      where order_id in (select id from orders where business_id = ?) returning 1`;
    await sql(captured);
    forget();
    const answer = await inItsPlace("mobile money");
    expect(answer).toMatchObject({ status: 404 });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(most);
    expect(await orders()).toMatchObject([{ status: "confirmed", payment_status: "captured" }]);
    expect(await had(ask("GET", "/cart"))).toMatchObject({ item_count: 0 });
  });

  it("is refused for pieces that are not there without it either, and leaves it as it was", async () => {
    await shop.add(ask, 2);
    expect(await unpaid(3)).toMatchObject({ status: 503 });
    await shop.add(ask, 1);
    await shop.stocked(shop.elsewhere, 0);
    const refused = await inItsPlace("mobile money");
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "OUT_OF_STOCK", quantity_available: 2 } } },
    });
    expect(roundTrips(refused).d1).toBeLessThanOrEqual(most);
    expect(await orders()).toMatchObject([{ status: "pending", payment_status: "failed" }]);
    expect(await reserved()).toBe(2);
    expect(await unpaid(3)).toMatchObject({ status: 503 }); // it can still be gone on with
    expect(await statuses()).toEqual(["pending"]);
  });

  it("ends it together with its own beginning, or not at all", async () => {
    await shop.add(ask, 1);
    expect(await unpaid(3)).toMatchObject({ status: 503 });
    await rowsOf(
      shop.shop,
      "create trigger outage before insert on payments begin select raise(abort, 'Network connection lost.'); end",
    );
    const failed = await inItsPlace("mobile money");
    await rowsOf(shop.shop, "drop trigger outage");
    expect(failed).toMatchObject({ status: 503, body: { error: { retryable: true } } });
    expect(await statuses()).toEqual(["pending"]);
    forget();
    const answer = await inItsPlace("mobile money");
    await shop.expectSold(ask, answer, { total: "100.00", d1: most });
    expect(await statuses()).toEqual(["cancelled", "confirmed"]);
    expect(await reserved()).toBe(1);
  });
});

describe("POST /checkout in the place of one that has all there is", () => {
  let massage: Awaited<ReturnType<typeof givenService>>;
  let hour = 9;

  beforeAll(async () => {
    massage = await givenService(shop.shop);
    await givenDeal(shop.shop, { value: "20", perCustomerLimit: 1 });
    await givenDeal(shop.shop, { code: "ONE", value: "50", usageLimit: 1 });
  });

  /** The last pieces, the last place of an hour, and the only use of each deal. */
  beforeEach(async () => {
    hour += 1;
    await shop.stocked(shop.elsewhere, 0);
    await sql("update deals set times_redeemed = 0 where business_id = ? returning id");
    const [home] = shop.shop.business.locations;
    await had(book(ask, massage, `2030-05-07T${hour}:00:00.000Z`, { location_id: home?.id }));
    await shop.add(ask, 2);
    await had(ask("POST", "/cart/coupons", { body: { coupon_code: "ONE" } }));
  });

  it.each(everyWay)(way, async ({ method, isForgotten, d1, sold }) => {
    expect(await unpaid(3)).toMatchObject({ status: 503 });
    if (isForgotten) forget();
    const answer = await inItsPlace(method);
    await shop.expectSold(ask, answer, { total: "112.00", d1 });
    expect(await orders()).toMatchObject([
      { status: "cancelled", total_price_minor: 11_200 },
      { status: sold, total_price_minor: 11_200 },
    ]);
    expect(await reserved()).toBe(2);
  });
});
