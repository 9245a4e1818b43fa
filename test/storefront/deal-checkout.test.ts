import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { archiveDeal } from "../../shared/deals/index.ts";
import { cancelUnpaidOrder, orderRepo } from "../../shared/orders/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { givenDeal } from "../support/deals.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenTax } from "../support/tax.ts";
import { type Answer, contextFor, givenBusiness, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  shop = await givenBusiness();
  product = await givenProduct(shop, { defaultPriceMinor: 2_500, inventoryType: "tracked" });
  await givenStock(shop, product, 50);
});

type Ask = ReturnType<typeof shopper>;
const dataOf = ({ body }: Answer) => Object(body).data;

/** A shopper with two pieces in the cart, and the coupon on them. */
async function shopperWith(code: string | null): Promise<{ ask: Ask; cartId: string }> {
  const ask = shopper(shop);
  const added = await ask("POST", "/cart/items", { body: { item_id: product.id, quantity: 2 } });
  const body = { coupon_code: code };
  if (code !== null)
    expect(await ask("POST", "/cart/coupons", { body })).toMatchObject({ status: 200 });
  return { ask, cartId: dataOf(added).id };
}

let phones = 241_234_000;
const somebody = () => `0${++phones}`;

const buy = ({ ask, cartId }: { ask: Ask; cartId: string }, phone = somebody(), fields = {}) =>
  ask("POST", "/checkout", {
    body: { cart_id: cartId, customer: { phone }, payment_method: "cash", ...fields },
  });

const all = (table: string) =>
  rowsOf(shop, `select * from ${table} where business_id = ?`, shop.business.id);

const redeemed = async () => (await all("deals")).map((row) => row.times_redeemed);

const exhausted = {
  status: 422,
  body: { error: { context: { rule: "COUPON_EXHAUSTED" } } },
};

describe("POST /checkout with a coupon", () => {
  it("puts the discount into the order, its tax and its payment, and counts one use", async () => {
    await givenTax(shop, { ratePercent: "10", isInclusive: false });
    await givenDeal(shop, { code: "TENTH" });
    const one = await shopperWith("TENTH");
    const { order_id, bill_token } = dataOf(await buy(one));
    expect(await one.ask("GET", `/orders/${order_id}?token=${bill_token}`)).toMatchObject({
      body: {
        data: {
          subtotal: "50.00",
          discount_total: "5.00",
          tax_amount: "4.50",
          total_price: "49.50",
          items: [{ quantity: 2, unit_price: "25.00", total: "50.00" }],
        },
      },
    });
    expect((await all("payments")).map(({ amount_minor }) => amount_minor)).toEqual([4_950]);
    expect(await redeemed()).toEqual([1]);
    expect(await all("deal_redemptions")).toMatchObject([
      { order_id, amount_minor: 500, nth: 1, customer_key: expect.stringMatching(/^\+233/) },
    ]);
    expect(dataOf(await one.ask("GET", "/cart")).coupon).toBeNull();
  });

  it("gives the last use to exactly one of many at once; the others leave nothing behind", async () => {
    await givenDeal(shop, { code: "ONLYONE", usageLimit: 1 });
    const shoppers = await Promise.all(Array.from({ length: 12 }, () => shopperWith("ONLYONE")));
    const answers = await Promise.all(shoppers.map((one) => buy(one)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers)
      if (answer.status !== 200) expect(answer).toMatchObject(exhausted);
    expect(await redeemed()).toEqual([1]);
    expect(await all("orders")).toHaveLength(1);
    expect(await all("payments")).toHaveLength(1);
    expect(await all("deal_redemptions")).toHaveLength(1);
    expect(await eventsOf(shop)).toEqual(["order.created"]);
    expect((await all("stock_levels")).map((row) => row.quantity_reserved)).toEqual([2]);
  });

  it("leaves the refused shopper a cart without it, which can be bought", async () => {
    await givenDeal(shop, { code: "ONLYONE", usageLimit: 1 });
    const [first, second] = [await shopperWith("ONLYONE"), await shopperWith("ONLYONE")];
    await buy(first);
    expect(await buy(second)).toMatchObject(exhausted);
    expect(dataOf(await second.ask("GET", "/cart"))).toMatchObject({
      coupon: null,
      item_count: 2,
      pricing: { total_price: "50.00" },
    });
    expect(await buy(second)).toMatchObject({ status: 200 });
    expect((await all("orders")).map((row) => row.total_price_minor).sort()).toEqual([
      4_500, 5_000,
    ]);
  });

  it("holds each customer to their own limit, in parallel too", async () => {
    await givenDeal(shop, { code: "TWICE", perCustomerLimit: 2 });
    const [mine, theirs] = [somebody(), somebody()];
    const shoppers = await Promise.all(Array.from({ length: 5 }, () => shopperWith("TWICE")));
    const answers = await Promise.all(shoppers.map((one) => buy(one, mine)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422, 422]);
    expect(await buy(await shopperWith("TWICE"), theirs)).toMatchObject({ status: 200 });
    expect(await redeemed()).toEqual([3]);
  });

  it("refuses a coupon that stopped applying, takes it off and charges nothing", async () => {
    const deal = await givenDeal(shop, { code: "GONE" });
    const one = await shopperWith("GONE");
    await archiveDeal(contextFor(shop), deal.id);
    vi.setSystemTime(Date.now() + 6_000);
    expect(await buy(one)).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "COUPON_INVALID" } } },
    });
    expect(await all("orders")).toEqual([]);
    expect(dataOf(await one.ask("GET", "/cart")).coupon).toBeNull();
  });

  it("gives the use back when the order is cancelled unpaid", async () => {
    await givenDeal(shop, { code: "ONLYONE", usageLimit: 1 });
    const { order_id } = dataOf(await buy(await shopperWith("ONLYONE")));
    const ctx = { ...contextFor(shop), providerFor: () => null };
    const cancel = async () =>
      cancelUnpaidOrder(ctx, await orderRepo(ctx).get(order_id), "nobody paid");
    await cancel();
    await cancel();
    expect(await redeemed()).toEqual([0]);
    expect(await all("deal_redemptions")).toEqual([]);
    vi.setSystemTime(Date.now() + 6_000);
    expect(await buy(await shopperWith("ONLYONE"))).toMatchObject({ status: 200 });
  });
});

describe("POST /checkout with automatic deals", () => {
  it("goes on without one that was used up meanwhile, with the next best", async () => {
    await givenDeal(shop, { value: "50", usageLimit: 1 });
    await givenDeal(shop, { value: "10" });
    const shoppers = await Promise.all(Array.from({ length: 4 }, () => shopperWith(null)));
    const answers = await Promise.all(shoppers.map((one) => buy(one)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const orders = await all("orders");
    expect(orders.map((row) => row.discount_total_minor).sort()).toEqual([2_500, 500, 500, 500]);
    expect((await redeemed()).sort()).toEqual([1, 3]);
    expect((await all("payments")).map((row) => row.amount_minor).sort()).toEqual(
      orders.map((row) => row.total_price_minor).sort(),
    );
  });
});
