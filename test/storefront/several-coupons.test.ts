import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { merchantCatalogue } from "../../shared/catalogue/index.ts";
import { archiveDeal, type NewDeal, updateDeal } from "../../shared/deals/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { parseCookieClaims, sessionCookieOf } from "../support/sessions.ts";
import { changeSettings } from "../support/settings.ts";
import {
  type ApiClient,
  contextFor,
  createBusiness,
  dataOf,
  merchant,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ApiClient;
let productId: string;

beforeEach(async () => {
  shop = await createBusiness();
  await changeSettings(shop, { maxCoupons: 2 });
  ask = shopper(shop);
  productId = (await createProduct(shop, { defaultPriceMinor: 10_000 })).id;
});

const coupon = (code: string, fields: Partial<NewDeal> = {}) =>
  createDeal(shop, { code, combinesWith: ["order", "product", "delivery"], ...fields });

const fillCart = async (client = ask) =>
  dataOf(await client("POST", "/cart/items", { body: { item_id: productId } }));
const apply = (code: string, client = ask) =>
  client("POST", "/cart/coupons", { body: { coupon_code: code } });
const codesIn = ({ coupons }: { coupons: { code: string }[] }) => coupons.map(({ code }) => code);
const readCart = async () => dataOf(await ask("GET", "/cart"));
const later = () => vi.setSystemTime(Date.now() + 6_000);

const buy = async (cartId: string, client = ask, fields = {}) =>
  client("POST", "/checkout", {
    body: {
      cart_id: cartId,
      customer: { email: "ama@example.com" },
      payment_method: "cash",
      ...fields,
    },
  });

const refused = (rule: string, context = {}) => ({
  status: 422,
  body: { error: { context: { rule, ...context } } },
});

describe("a cart of a business with max_coupons 2", () => {
  it("adds codes up to the limit, and removes one or all", async () => {
    await coupon("TEN");
    await coupon("FIVE", { value: "5" });
    await coupon("THREE", { value: "3" });
    await fillCart();
    await apply("TEN");
    const both = dataOf(await apply("five"));
    expect(codesIn(both)).toEqual(["TEN", "FIVE"]);
    expect(both.coupon).toEqual(both.coupons[0]);
    expect(both.pricing).toMatchObject({
      discounts: [
        { code: "TEN", amount: "10.00" },
        { code: "FIVE", amount: "4.50" },
      ],
      discount_total: "14.50",
      total_price: "85.50",
    });
    expect(await apply("THREE")).toMatchObject(refused("COUPON_LIMIT", { limit: 2 }));
    expect(codesIn(dataOf(await apply("Ten")))).toEqual(["TEN", "FIVE"]);
    const validated = await ask("POST", "/catalogue/deals/validate", {
      body: { discount_code: "THREE", order_subtotal: "1" },
    });
    expect(dataOf(validated)).toMatchObject({ is_valid: false, reason: "COUPON_LIMIT" });
    const one = dataOf(await ask("DELETE", "/cart/coupons/ten"));
    expect(codesIn(one)).toEqual(["FIVE"]);
    expect(one).toMatchObject({ coupon: { code: "FIVE" }, notices: [] });
    expect(await ask("DELETE", "/cart/coupons/ten")).toMatchObject({ status: 404 });
    await apply("TEN");
    const none = dataOf(await ask("DELETE", "/cart/coupons/current"));
    expect(none).toMatchObject({ coupon: null, coupons: [], pricing: { discount_total: "0.00" } });
  });

  it("charges the set that saves most, in any order of the codes, and keeps the others", async () => {
    await changeSettings(shop, { maxCoupons: 3 });
    await coupon("ALONE", { value: "12", combinesWith: [] });
    await coupon("TEN");
    await coupon("FIVE", { value: "5" });
    for (const codes of [
      ["ALONE", "TEN", "FIVE"],
      ["FIVE", "ALONE", "TEN"],
    ]) {
      const client = shopper(shop);
      const { id } = await fillCart(client);
      for (const code of codes) await apply(code, client);
      const cart = dataOf(await client("GET", "/cart"));
      expect(codesIn(cart)).toEqual(codes);
      expect(cart.pricing.discount_total).toBe("14.50");
      const { order_id } = dataOf(await buy(id, client));
      const order = dataOf(await merchant(shop)("GET", `/orders/${order_id}`));
      expect(order).toMatchObject({
        total_price: "85.50",
        discounts: [{ code: "TEN" }, { code: "FIVE" }],
      });
    }
    const uses = await selectRows(
      shop,
      "select code, times_redeemed from deals where business_id = ? order by id",
      shop.business.id,
    );
    expect(uses).toEqual([
      { code: "ALONE", times_redeemed: 0 },
      { code: "TEN", times_redeemed: 2 },
      { code: "FIVE", times_redeemed: 2 },
    ]);
  });

  it("names a code that no longer applies at the next write, and keeps the rest", async () => {
    const ten = await coupon("TEN");
    await coupon("FIVE", { value: "5" });
    await fillCart();
    await apply("TEN");
    await apply("FIVE");
    await archiveDeal(contextFor(shop), ten.id);
    later();
    const cart = await fillCart();
    expect(codesIn(cart)).toEqual(["FIVE"]);
    const notice = { code: "COUPON_REMOVED", message: expect.any(String), coupon: "TEN" };
    expect(cart.notices).toEqual([notice]);
    expect((await readCart()).notices).toEqual([notice]);
    expect((await fillCart()).notices).toEqual([]);
  });

  it("takes the deal that has a code now, and sells once with it", async () => {
    const old = await coupon("TEN");
    const { id } = await fillCart();
    await apply("TEN");
    await archiveDeal(contextFor(shop), old.id);
    const current = await coupon("TEN", { value: "15" });
    later();
    const cart = dataOf(await apply("ten"));
    expect(cart).toMatchObject({ coupons: [{ deal_id: current.id }], notices: [] });
    expect(cart.coupons.length).toBe(1);
    expect((await fillCart()).notices).toEqual([]);
    expect(await buy(id)).toMatchObject({ status: 200 });
  });

  it("adds the new code of a deal in place of its earlier code", async () => {
    const deal = await coupon("TEN");
    await fillCart();
    await apply("TEN");
    await updateDeal(contextFor(shop), deal.id, { code: "ELEVEN" });
    later();
    const cart = dataOf(await apply("ELEVEN"));
    expect(codesIn(cart)).toEqual(["ELEVEN"]);
    expect(cart.notices).toMatchObject([{ code: "COUPON_REMOVED", coupon: "TEN" }]);
  });

  it("names a code that the merchant archived just before the checkout", async () => {
    const ten = await coupon("TEN");
    await coupon("FIVE", { value: "5" });
    const { id } = await fillCart();
    for (const code of ["TEN", "FIVE"]) await apply(code);
    await archiveDeal(contextFor(shop), ten.id);
    expect(await buy(id)).toMatchObject(refused("COUPON_INVALID"));
    const cart = await readCart();
    expect(codesIn(cart)).toEqual(["FIVE"]);
    expect(cart.notices).toMatchObject([{ code: "COUPON_REMOVED", coupon: "TEN" }]);
    expect(await buy(id)).toMatchObject({ status: 200 });
  });

  it("names an archived code also when a line leaves the cart with it", async () => {
    const ten = await coupon("TEN");
    await fillCart();
    const archived = await createProduct(shop);
    await ask("POST", "/cart/items", { body: { item_id: archived.id } });
    const { id } = dataOf(await apply("TEN"));
    await archiveDeal(contextFor(shop), ten.id);
    await merchantCatalogue.archiveProduct(contextFor(shop), archived.id);
    expect(await buy(id)).toMatchObject(refused("ITEM_UNAVAILABLE"));
    const cart = await readCart();
    expect(cart.items.length).toBe(1);
    expect(cart.notices).toMatchObject([{ code: "COUPON_REMOVED", coupon: "TEN" }]);
  });

  it("keeps the codes that a cart has when max_coupons is lowered", async () => {
    for (const code of ["TEN", "FIVE"]) await coupon(code);
    const { id } = await fillCart();
    for (const code of ["TEN", "FIVE"]) await apply(code);
    await changeSettings(shop, { maxCoupons: 1 });
    expect(codesIn(await fillCart())).toEqual(["TEN", "FIVE"]);
    expect(await buy(id)).toMatchObject({ status: 200 });
  });

  it("removes a code with letters that a URL encodes", async () => {
    await coupon("ÉTÉ-10");
    await coupon("茶.五");
    await fillCart();
    for (const code of ["ÉTÉ-10", "茶.五"]) await apply(code);
    const remove = (code: string) => ask("DELETE", `/cart/coupons/${encodeURIComponent(code)}`);
    expect(codesIn(dataOf(await remove("été-10")))).toEqual(["茶.五"]);
    expect(codesIn(dataOf(await remove("茶.五")))).toEqual([]);
  });

  it("refuses a checkout with a used-up code, takes that code out, and sells without it", async () => {
    const once = await coupon("ONCE", { usageLimit: 1 });
    await coupon("FIVE", { value: "5", usageLimit: 9 });
    const other = shopper(shop);
    const [mine, theirs] = [await fillCart(), await fillCart(other)];
    for (const client of [ask, other])
      for (const code of ["ONCE", "FIVE"]) await apply(code, client);
    expect(await buy(theirs.id, other)).toMatchObject({ status: 200 });
    expect(await buy(mine.id)).toMatchObject(refused("COUPON_EXHAUSTED"));
    const cart = await readCart();
    expect(codesIn(cart)).toEqual(["FIVE"]);
    expect(cart.notices).toMatchObject([{ code: "COUPON_REMOVED", coupon: "ONCE" }]);
    expect(await buy(mine.id)).toMatchObject({ status: 200 });
    await updateDeal(contextFor(shop), once.id, { usageLimit: 5 });
  });

  it.each([
    { name: "cached", before: () => {} },
    { name: "not cached", before: later },
  ])("takes out all used-up codes and shows the next best when $name", async ({ before }) => {
    await changeSettings(shop, { maxCoupons: 3 });
    const alone = { combinesWith: [] };
    await coupon("BEST", { value: "20", perCustomerLimit: 1, ...alone });
    await coupon("NEXT", { value: "15", perCustomerLimit: 1, ...alone });
    await coupon("FIVE", { value: "5", ...alone });
    for (const code of ["BEST", "NEXT"]) {
      const earlier = shopper(shop);
      const { id } = await fillCart(earlier);
      await apply(code, earlier);
      expect(await buy(id, earlier)).toMatchObject({ status: 200 });
    }
    const { id } = await fillCart();
    for (const code of ["BEST", "NEXT", "FIVE"]) await apply(code);
    before();
    expect(await buy(id)).toMatchObject(refused("COUPON_EXHAUSTED"));
    const cart = await readCart();
    expect(codesIn(cart)).toEqual(["FIVE"]);
    expect(cart.notices).toMatchObject([{ coupon: "BEST" }, { coupon: "NEXT" }]);
    expect(cart.pricing.total_price).toBe("95.00");
    const sold = await buy(id, ask, { expected_total: cart.pricing.total_price });
    expect(sold).toMatchObject({ status: 200 });
  });

  it("gives both codes back with the lines of an unpaid order", async () => {
    await coupon("TEN", { usageLimit: 1 });
    await coupon("FIVE", { value: "5", usageLimit: 1 });
    const { id } = await fillCart();
    await apply("TEN");
    await apply("FIVE");
    const { order_id } = dataOf(await buy(id, ask, { payment_method: "card" }));
    const reopened = dataOf(await ask("POST", `/orders/${order_id}/reopen-cart`));
    expect(codesIn(reopened)).toEqual(["TEN", "FIVE"]);
    expect(reopened.pricing.discount_total).toBe("14.50");
  });

  it("reads a cart that was stored when carts had one coupon", async () => {
    await coupon("TEN");
    const added = await ask("POST", "/cart/items", { body: { item_id: productId } });
    const { sub } = parseCookieClaims(sessionCookieOf(added));
    const applied = dataOf(await apply("TEN"));
    const object = env.CART_SESSION.getByName(sub);
    await runInDurableObject(object, (_, { storage }) => {
      storage.sql.exec("update cart set coupon = coupon ->> '$[0]'");
    });
    await evictDurableObject(object);
    expect(await readCart()).toEqual(applied);
    expect(codesIn(await fillCart())).toEqual(["TEN"]);
  });
});
