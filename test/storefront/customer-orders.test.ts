import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { second } from "../../shared/kernel/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createOrder, readStockQuantities } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import {
  type ApiClient,
  createBusiness,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await createBusiness();
  product = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, product, 10);
});

const buy = (ask: ApiClient, fields = {}) =>
  createOrder(shop, product.id, { payWith: "cash", quantity: 1, ask, fields });

const idsIn = (answer: Awaited<ReturnType<ApiClient>>) =>
  dataOf(answer).map(({ id }: { id: string }) => id);

const eraseCustomer = async (customerId: string) => {
  vi.setSystemTime(Date.now() + second);
  await merchant(shop)("DELETE", `/customers/${customerId}/data`);
};

const rowsOfOrders = () =>
  selectRows(
    shop,
    "select id, customer_id from orders where business_id = ? order by id",
    shop.business.id,
  );

describe("POST /checkout of a logged-in customer", () => {
  it("assigns the order to them, within three round trips", async () => {
    const { ask, customerId } = await createLoggedInShopper(shop);
    const added = await ask("POST", "/cart/items", { body: { item_id: product.id } });
    const answer = await ask("POST", "/checkout", {
      body: {
        cart_id: dataOf(added).id,
        customer: { email: "somebody@example.com" },
        payment_method: "mobile_money",
        mobile_money_details: { phone_number: "0241234560", provider: "mtn" },
      },
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(roundTrips(answer)).toMatchObject({ do: 1 });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(3);
    expect(await rowsOfOrders()).toEqual([
      { id: dataOf(answer).order_id, customer_id: customerId },
    ]);
    const [event] = await selectRows(
      shop,
      "select data from events where business_id = ? and type = 'order.created'",
      shop.business.id,
    );
    expect(JSON.parse(String(event?.data))).toMatchObject({ customer_id: customerId });
  });

  it("keeps a guest's order unassigned when the guest logs in with another contact", async () => {
    const ask = shopper(shop);
    const sale = await buy(ask);
    await createLoggedInShopper(shop, "kofi@example.com", ask);
    expect(await rowsOfOrders()).toEqual([{ id: sale.id, customer_id: null }]);
  });

  it("sells a billing plan, which is CUSTOMER_REQUIRED for a guest", async () => {
    const plan = await merchant(shop)("POST", "/billing-plans", {
      body: { name: "Weekly", interval: "week", price: "7" },
    });
    const billing_plan_id = dataOf(plan).id;
    const tea = await createProduct(shop, { billingPlanIds: [billing_plan_id] });
    const ask = shopper(shop);
    const added = await ask("POST", "/cart/items", {
      body: { item_id: tea.id, billing_plan_id },
    });
    const checkout = () =>
      ask("POST", "/checkout", {
        body: {
          cart_id: dataOf(added).id,
          customer: { phone: "0241234567" },
          payment_method: "cash",
        },
      });
    expect(await checkout()).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "CUSTOMER_REQUIRED" } } },
    });
    await createLoggedInShopper(shop, "+233241234567", ask);
    expect(await checkout()).toMatchObject({ status: 200 });
  });

  it("counts deal redemptions per customer, also for orders with other contacts", async () => {
    await createDeal(shop, { code: "ONCE", perCustomerLimit: 1 });
    const { ask } = await createLoggedInShopper(shop);
    const order = async (phone: string) => {
      const added = await ask("POST", "/cart/items", { body: { item_id: product.id } });
      await ask("POST", "/cart/coupons", { body: { coupon_code: "ONCE" } });
      return ask("POST", "/checkout", {
        body: { cart_id: dataOf(added).id, customer: { phone }, payment_method: "cash" },
      });
    };
    expect(await order("0241234001")).toMatchObject({ status: 200 });
    expect(await order("0241234002")).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "COUPON_EXHAUSTED" } } },
    });
  });

  it("is 401 without side effects after the customer was erased, and then continues as a guest", async () => {
    const { ask, customerId } = await createLoggedInShopper(shop);
    const added = await ask("POST", "/cart/items", { body: { item_id: product.id } });
    await eraseCustomer(customerId);
    const checkout = (key: string) =>
      ask("POST", "/checkout", {
        body: {
          cart_id: dataOf(added).id,
          customer: { phone: "0241234567" },
          payment_method: "cash",
        },
        headers: { "Idempotency-Key": key },
      });
    expect(await checkout("key-1")).toMatchObject({
      status: 401,
      body: { error: { code: "UNAUTHORIZED" } },
    });
    expect(await rowsOfOrders()).toEqual([]);
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 0]);
    expect(await checkout("key-2")).toMatchObject({ status: 200 });
    expect(await rowsOfOrders()).toMatchObject([{ customer_id: null }]);
  });
});

describe("a customer's orders", () => {
  it("are listed only for them, newest first, in one database and one session round trip", async () => {
    const ama = await createLoggedInShopper(shop);
    const kofi = await createLoggedInShopper(shop, "kofi@example.com");
    const first = await buy(ama.ask);
    vi.setSystemTime(Date.now() + second);
    const latest = await buy(ama.ask);
    const other = await buy(kofi.ask);
    await buy(shopper(shop));
    const answer = await ama.ask("GET", "/orders");
    expect(idsIn(answer)).toEqual([latest.id, first.id]);
    expect(dataOf(answer)[0]).toMatchObject({ customer_id: ama.customerId });
    expect(roundTrips(answer)).toMatchObject({ d1: 1, do: 1 });
    expect(idsIn(await ama.ask("GET", "/orders?limit=1&offset=1"))).toEqual([first.id]);
    expect(idsIn(await kofi.ask("GET", "/orders"))).toEqual([other.id]);
  });

  it("are readable without a token, in one database and one session round trip", async () => {
    const { ask, customerId } = await createLoggedInShopper(shop);
    const sale = await buy(ask);
    for (const path of [`/orders/${sale.id}`, `/orders/${sale.id}/payment-status`]) {
      const own = await ask("GET", path);
      expect(own).toMatchObject({ status: 200 });
      expect(roundTrips(own)).toMatchObject({ d1: 1, do: 1 });
      const byToken = await ask("GET", `${path}?token=${sale.token}`);
      expect(byToken.body).toEqual(own.body);
      expect(roundTrips(byToken)).toMatchObject({ d1: 1, do: 0 });
    }
    const attached = await ask("POST", `/orders/${sale.id}/customer`, {
      body: { customer_id: customerId },
    });
    expect(attached).toMatchObject({ status: 200, body: { data: { id: sale.id } } });
    expect(roundTrips(attached)).toMatchObject({ d1: 1, do: 1 });
    expect(await ask("POST", `/orders/${sale.id}/verify-payment`)).toMatchObject({ status: 200 });
    expect(await ask("POST", `/orders/${sale.id}/cancel`)).toMatchObject({
      status: 200,
      body: { data: { status: "cancelled" } },
    });
  });

  it("are 404 without the token for another customer, a guest and another business", async () => {
    const { ask, customerId } = await createLoggedInShopper(shop);
    const sale = await buy(ask);
    const neighbour = await createBusiness();
    const otherCallers = [
      (await createLoggedInShopper(shop, "kofi@example.com")).ask,
      shopper(shop),
      (await createLoggedInShopper(neighbour)).ask,
    ];
    const none = await ask("GET", "/orders/ord_none");
    const calls = [
      ["GET", `/orders/${sale.id}`, undefined],
      ["GET", `/orders/${sale.id}/payment-status`, undefined],
      ["POST", `/orders/${sale.id}/cancel`, undefined],
      ["POST", `/orders/${sale.id}/verify-payment`, undefined],
      ["POST", `/orders/${sale.id}/customer`, { customer_id: customerId }],
    ] as const;
    for (const caller of otherCallers)
      for (const [method, path, body] of calls) {
        const answer = await caller(method, path, body && { body });
        expect(answer).toMatchObject({ status: 404, body: none.body });
      }
  });

  it("are readable with their token by any customer, and not with a wrong token", async () => {
    const { ask } = await createLoggedInShopper(shop);
    const sale = await buy(ask);
    const other = (await createLoggedInShopper(shop, "kofi@example.com")).ask;
    expect(await other("GET", `/orders/${sale.id}?token=${sale.token}`)).toMatchObject({
      status: 200,
    });
    expect(await ask("GET", `/orders/${sale.id}?token=bt_wrong`)).toMatchObject({ status: 404 });
  });

  it("are not readable by the session of an erased customer", async () => {
    const { ask, customerId } = await createLoggedInShopper(shop);
    const sale = await buy(ask);
    await eraseCustomer(customerId);
    for (const path of ["/orders", "/scheduling/bookings", "/subscriptions"])
      expect(await ask("GET", path), path).toMatchObject({ status: 401 });
    expect(await ask("GET", `/orders/${sale.id}`)).toMatchObject({ status: 404 });
  });
});
