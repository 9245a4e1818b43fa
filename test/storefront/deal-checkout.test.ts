import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { archiveDeal } from "../../shared/deals/index.ts";
import { cancelUnpaidOrder, orderRepo } from "../../shared/orders/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createOrderContext } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { changeSettings } from "../support/settings.ts";
import { contextFor, createBusiness, dataOf, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  shop = await createBusiness();
  product = await createProduct(shop, { defaultPriceMinor: 2_500, inventoryType: "tracked" });
  await setStock(shop, product, 50);
});

type ShopperRequest = ReturnType<typeof shopper>;
/** Creates a shopper with two units and a coupon in the cart. */
async function createShopperWithCart(
  code: string | null,
): Promise<{ ask: ShopperRequest; cartId: string }> {
  const ask = shopper(shop);
  const added = await ask("POST", "/cart/items", { body: { item_id: product.id, quantity: 2 } });
  const body = { coupon_code: code };
  if (code !== null)
    expect(await ask("POST", "/cart/coupons", { body })).toMatchObject({ status: 200 });
  return { ask, cartId: dataOf(added).id };
}

let phones = 241_234_000;
const newPhone = () => `0${++phones}`;

const buy = (
  { ask, cartId }: { ask: ShopperRequest; cartId: string },
  phone = newPhone(),
  fields = {},
) =>
  ask("POST", "/checkout", {
    body: { cart_id: cartId, customer: { phone }, payment_method: "cash", ...fields },
  });

const all = (table: string) =>
  selectRows(shop, `select * from ${table} where business_id = ?`, shop.business.id);

const findUseCounts = async () => (await all("deals")).map((row) => row.times_redeemed);

const exhausted = {
  status: 422,
  body: { error: { context: { rule: "COUPON_EXHAUSTED" } } },
};

describe("POST /checkout with a coupon", () => {
  it("applies the discount to order, tax and payment, and counts one use", async () => {
    await changeSettings(shop, { tax: { ratePercent: "10", isInclusive: false } });
    await createDeal(shop, { code: "TENTH" });
    const one = await createShopperWithCart("TENTH");
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
    expect(await findUseCounts()).toEqual([1]);
    expect(await all("deal_redemptions")).toMatchObject([
      { order_id, amount_minor: 500, nth: 1, phone: expect.stringMatching(/^\+233/) },
    ]);
    expect(dataOf(await one.ask("GET", "/cart")).coupon).toBeNull();
  });

  it("gives the last use to exactly one of many concurrent checkouts", async () => {
    await createDeal(shop, { code: "ONLYONE", usageLimit: 1 });
    const shoppers = await Promise.all(
      Array.from({ length: 12 }, () => createShopperWithCart("ONLYONE")),
    );
    const answers = await Promise.all(shoppers.map((one) => buy(one)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers)
      if (answer.status !== 200) expect(answer).toMatchObject(exhausted);
    expect(await findUseCounts()).toEqual([1]);
    expect(await all("orders")).toHaveLength(1);
    expect(await all("payments")).toHaveLength(1);
    expect(await all("deal_redemptions")).toHaveLength(1);
    expect(await listOutboxEventTypes(shop)).toEqual(["order.created"]);
    expect((await all("stock_levels")).map((row) => row.quantity_reserved)).toEqual([2]);
  });

  it("removes the rejected coupon, so that the cart can be bought", async () => {
    await createDeal(shop, { code: "ONLYONE", usageLimit: 1 });
    const [first, second] = [
      await createShopperWithCart("ONLYONE"),
      await createShopperWithCart("ONLYONE"),
    ];
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

  it("enforces the limit per customer, also for concurrent checkouts", async () => {
    await createDeal(shop, { code: "TWICE", perCustomerLimit: 2 });
    const [mine, theirs] = [newPhone(), newPhone()];
    const shoppers = await Promise.all(
      Array.from({ length: 5 }, () => createShopperWithCart("TWICE")),
    );
    const answers = await Promise.all(shoppers.map((one) => buy(one, mine)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422, 422]);
    expect(await buy(await createShopperWithCart("TWICE"), theirs)).toMatchObject({ status: 200 });
    expect(await findUseCounts()).toEqual([3]);
  });

  it("rejects and removes a coupon that no longer applies, and charges nothing", async () => {
    const deal = await createDeal(shop, { code: "GONE" });
    const one = await createShopperWithCart("GONE");
    await archiveDeal(contextFor(shop), deal.id);
    vi.setSystemTime(Date.now() + 6_000);
    expect(await buy(one)).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "COUPON_INVALID" } } },
    });
    expect(await all("orders")).toEqual([]);
    expect(dataOf(await one.ask("GET", "/cart")).coupon).toBeNull();
  });

  it("returns the use when the unpaid order is cancelled", async () => {
    await createDeal(shop, { code: "ONLYONE", usageLimit: 1 });
    const { order_id } = dataOf(await buy(await createShopperWithCart("ONLYONE")));
    const verify = async () => ({ type: "unknown" }) as const;
    const ctx = createOrderContext(shop, { provider: { verify } });
    const cancel = async () =>
      cancelUnpaidOrder(ctx, await orderRepo(ctx).get(order_id), "nobody paid");
    await cancel();
    await cancel();
    expect(await findUseCounts()).toEqual([0]);
    expect(await all("deal_redemptions")).toEqual([]);
    vi.setSystemTime(Date.now() + 6_000);
    expect(await buy(await createShopperWithCart("ONLYONE"))).toMatchObject({ status: 200 });
  });
});

describe("POST /checkout with automatic deals", () => {
  it("continues with the next best deal when one is exhausted", async () => {
    await createDeal(shop, { value: "50", usageLimit: 1 });
    await createDeal(shop, { value: "10" });
    const shoppers = await Promise.all(
      Array.from({ length: 4 }, () => createShopperWithCart(null)),
    );
    const answers = await Promise.all(shoppers.map((one) => buy(one)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const orders = await all("orders");
    expect(orders.map((row) => row.discount_total_minor).sort()).toEqual([2_500, 500, 500, 500]);
    expect((await findUseCounts()).sort()).toEqual([1, 3]);
    expect((await all("payments")).map((row) => row.amount_minor).sort()).toEqual(
      orders.map((row) => row.total_price_minor).sort(),
    );
  });
});
