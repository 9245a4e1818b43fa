import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import {
  type ApiClient,
  type ApiResponse,
  createBusiness,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

const phone = "+233241234567";

let shop: CreatedBusiness;
let member: ApiClient;
let productId: string;
let groupId: string;

beforeEach(async () => {
  shop = await createBusiness();
  const { ask, customerId } = await createLoggedInShopper(shop, phone);
  member = ask;
  productId = (await createProduct(shop, { defaultPriceMinor: 10_000 })).id;
  const body = { name: "VIP", customer_ids: [customerId] };
  groupId = dataOf(await merchant(shop)("POST", "/customer-groups", { body })).id;
});

const fillCart = (client: ApiClient) =>
  client("POST", "/cart/items", { body: { item_id: productId } });
const apply = (client: ApiClient, code = "VIP") =>
  client("POST", "/cart/coupons", { body: { coupon_code: code } });
const validate = async (client: ApiClient) =>
  dataOf(
    await client("POST", "/catalogue/deals/validate", {
      body: { discount_code: "VIP", order_subtotal: "100" },
    }),
  );
const buy = async (client: ApiClient, customer: object) => {
  const { id } = dataOf(await fillCart(client));
  const body = { cart_id: id, customer, payment_method: "cash" };
  return client("POST", "/checkout", { body });
};
const totalOf = async (sold: ApiResponse) =>
  dataOf(await merchant(shop)("GET", `/orders/${dataOf(sold).order_id}`)).total_price;
const later = () => vi.setSystemTime(Date.now() + 6_000);
const leaveGroup = () =>
  merchant(shop)("PATCH", `/customer-groups/${groupId}`, { body: { customer_ids: [] } });

const invalid = { status: 422, body: { error: { context: { rule: "COUPON_INVALID" } } } };

describe("a deal of a customer group", () => {
  it("is a coupon for its members only, also in validation", async () => {
    await createDeal(shop, { code: "VIP", customerGroupIds: [groupId] });
    const guest = shopper(shop);
    const { ask: other } = await createLoggedInShopper(shop, "+233241234568");
    for (const client of [guest, other]) {
      expect(await validate(client)).toMatchObject({ is_valid: false, reason: "COUPON_INVALID" });
      await fillCart(client);
      expect(await apply(client)).toMatchObject(invalid);
      expect(await validate(client)).toMatchObject({ is_valid: false, deal: null });
    }
    await fillCart(member);
    expect(await validate(member)).toMatchObject({ is_valid: true, discount_amount: "10.00" });
    expect(dataOf(await apply(member))).toMatchObject({
      coupons: [{ code: "VIP" }],
      pricing: { discount_total: "10.00" },
    });
    await leaveGroup();
    later();
    expect(dataOf(await fillCart(member))).toMatchObject({
      coupons: [],
      notices: [{ code: "COUPON_REMOVED", coupon: "VIP" }],
      pricing: { discount_total: "0.00" },
    });
  });

  it("applies by itself in the carts of members, in no more round trips", async () => {
    await createDeal(shop, { customerGroupIds: [groupId] });
    const guest = shopper(shop);
    later();
    const others = await fillCart(guest);
    expect(dataOf(others).pricing.discount_total).toBe("0.00");
    later();
    const cold = await fillCart(member);
    expect(dataOf(cold).pricing.discount_total).toBe("10.00");
    expect(roundTrips(cold).d1).toBe(roundTrips(others).d1);
    expect(roundTrips(await fillCart(member)).d1).toBe(0);
  });

  it("applies at checkout to a login, and not to a guest who states a member's contact", async () => {
    await createDeal(shop, { customerGroupIds: [groupId] });
    const sold = await buy(member, { phone });
    expect(sold).toMatchObject({ status: 200 });
    expect(roundTrips(sold).d1).toBeLessThanOrEqual(3);
    const guest = await buy(shopper(shop), { phone });
    expect(await totalOf(sold)).toBe("90.00");
    expect(await totalOf(guest)).toBe("100.00");
  });

  it("is not charged to a customer who has left the group since the cart was read", async () => {
    await createDeal(shop, { code: "VIP", customerGroupIds: [groupId] });
    await fillCart(member);
    await apply(member);
    await leaveGroup();
    expect(await buy(member, { phone })).toMatchObject(invalid);
  });

  it("is not among the listed deals of a category or collection", async () => {
    const { id } = dataOf(
      await merchant(shop)("POST", "/collections", {
        body: { name: "Summer", product_ids: [productId] },
      }),
    );
    const appliesTo = { scope: "collection" as const, ids: [String(id)] };
    await createDeal(shop, { appliesTo, customerGroupIds: [groupId] });
    const open = await createDeal(shop, { appliesTo });
    const listed = dataOf(await member("GET", `/catalogue/collections/${id}/deals`));
    expect(listed).toMatchObject([{ id: open.id }]);
    expect(listed).toHaveLength(1);
  });
});
