import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { second } from "../../shared/kernel/index.ts";
import { logInWithContact } from "../../shared/orders/index.ts";
import { createService, openLocation } from "../scheduling/create-service.ts";
import { createCustomer, phoneContact } from "../support/create-customer.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper, logIn, sessionCookieOf } from "../support/sessions.ts";
import {
  type ApiClient,
  contextFor,
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime("2030-05-01T12:00:00Z");
  shop = await createBusiness();
  product = await createProduct(shop);
});

const phone = "+233241234567";
const email = "ama@example.com";

const buyAs = (customer: object, ask: ApiClient = shopper(shop)): Promise<PlacedOrder> =>
  createOrder(shop, product.id, { payWith: "cash", ask, fields: { customer } });

async function orderIdsOf(ask: ApiClient): Promise<string[]> {
  const ids = dataOf(await ask("GET", "/orders")).map(({ id }: { id: string }) => id);
  return ids.sort();
}

const idsOf = (...orders: readonly PlacedOrder[]) => orders.map(({ id }) => id).sort();

const loadOwner = async ({ id }: PlacedOrder) =>
  (await selectRows(shop, "select customer_id from orders where id = ?", id))[0]?.customer_id;

const updateEvents = () =>
  selectRows(
    shop,
    "select id, subject_id, data from events where business_id = ? and type = 'order.updated' order by id",
    shop.business.id,
  );

describe("a login with a verified contact", () => {
  it.each([
    ["phone", phone],
    ["email", email],
  ])("takes over all guest orders of the %s in its own batch", async (field, contact) => {
    const sales = [];
    for (let count = 0; count < 5; count += 1) sales.push(await buyAs({ [field]: contact }));
    const ask = shopper(shop);
    const answer = await logIn(ask, contact);
    expect(roundTrips(answer)).toMatchObject({ d1: 2 });
    expect(await orderIdsOf(ask)).toEqual(idsOf(...sales));
    const { id } = dataOf(answer).customer;
    expect(dataOf(await ask("GET", `/orders/${sales[0]?.id}`))).toMatchObject({ customer_id: id });
  });

  it("takes over an order that has both contacts, once", async () => {
    const sale = await buyAs({ phone, email });
    const { customerId } = await createLoggedInShopper(shop, phone);
    await createLoggedInShopper(shop, email);
    expect(await loadOwner(sale)).toBe(customerId);
  });

  it("takes over orders that were placed since the last login", async () => {
    const { customerId } = await createLoggedInShopper(shop, phone);
    const sale = await buyAs({ phone });
    expect(await loadOwner(sale)).toBeNull();
    vi.setSystemTime(Date.now() + 31 * second);
    const { ask } = await createLoggedInShopper(shop, phone);
    expect(await loadOwner(sale)).toBe(customerId);
    expect(await orderIdsOf(ask)).toEqual(idsOf(sale));
  });

  it("leaves orders of other contacts, other customers and other businesses", async () => {
    const ofOtherPhone = await buyAs({ phone: "+233209999999", email });
    const kofi = await createLoggedInShopper(shop, "kofi@example.com");
    const ofKofi = await buyAs({ phone }, kofi.ask);
    const neighbour = await createBusinessOnSameShard(shop);
    const theirs = await createOrder(neighbour, (await createProduct(neighbour)).id, {
      payWith: "cash",
      fields: { customer: { phone } },
    });
    const { ask } = await createLoggedInShopper(shop, phone);
    expect(await orderIdsOf(ask)).toEqual([]);
    expect(await loadOwner(ofOtherPhone)).toBeNull();
    expect(await loadOwner(ofKofi)).toBe(kofi.customerId);
    expect(await loadOwner(theirs)).toBeNull();
  });

  it("takes over the orders of a contact that a customer changes to", async () => {
    const sale = await buyAs({ email });
    const { ask, customerId } = await createLoggedInShopper(shop, phone);
    await ask("POST", "/auth/profile", { body: { email } });
    expect(await loadOwner(sale)).toBeNull();
    await logIn(ask, email);
    expect(await loadOwner(sale)).toBe(customerId);
  });

  it("takes over their bookings", async () => {
    await openLocation(shop);
    const service = await createService(shop);
    const guest = shopper(shop);
    const [slot] = dataOf(
      await guest("GET", `/scheduling/slots?service_id=${service}&date=2030-05-04`),
    ).slots;
    const [row] = await selectRows(shop, "select product_id from services where id = ?", service);
    const added = await guest("POST", "/cart/items", {
      body: { item_id: row?.product_id, scheduled_start: slot.start },
    });
    const placed = await guest("POST", "/checkout", {
      body: { cart_id: dataOf(added).id, customer: { phone }, payment_method: "cash" },
    });
    expect(placed).toMatchObject({ status: 200 });
    const { ask, customerId } = await createLoggedInShopper(shop, phone);
    expect(dataOf(await ask("GET", "/scheduling/bookings"))).toMatchObject([
      { order_id: dataOf(placed).order_id, customer_id: customerId },
    ]);
  });

  it("emits the event of each order once, as an attached order does", async () => {
    const sale = await buyAs({ phone });
    const reference = await buyAs({ phone: "+233209999999" });
    const { id } = await createCustomer(shop, phoneContact("+233209999999"));
    await shopper(shop)("POST", `/orders/${reference.id}/customer?token=${reference.token}`, {
      body: { customer_id: id },
    });
    const [attached] = await updateEvents();
    const { customerId } = await createLoggedInShopper(shop, phone);
    vi.setSystemTime(Date.now() + 31 * second);
    await createLoggedInShopper(shop, phone);
    const [, claimed, ...others] = await updateEvents();
    expect(others).toEqual([]);
    expect(claimed).toMatchObject({ id: expect.stringMatching(/^evt_[0-9a-z]{26}$/) });
    const snapshot = JSON.parse(String(attached?.data));
    expect(JSON.parse(String(claimed?.data))).toEqual({
      ...snapshot,
      id: sale.id,
      order_id: sale.id,
      order_number: sale.number,
      customer_id: customerId,
    });
  });

  it("keeps the order's status history, and later changes of it succeed", async () => {
    const sale = await buyAs({ phone });
    const { ask, customerId } = await createLoggedInShopper(shop, phone);
    const path = `/orders/${sale.id}`;
    expect(dataOf(await ask("GET", path)).status_history).toHaveLength(1);
    expect(
      await merchant(shop)("POST", `${path}/status`, { body: { status: "confirmed" } }),
    ).toMatchObject({
      status: 200,
      body: { data: { customer_id: customerId } },
    });
    expect(await ask("POST", `${path}/cancel`)).toMatchObject({
      status: 200,
      body: { data: { status: "cancelled", customer_id: customerId } },
    });
  });

  it("takes over each order once when logins run at once", async () => {
    const sales = [await buyAs({ phone }), await buyAs({ phone })];
    const logins = await Promise.all(
      Array.from({ length: 4 }, () =>
        logInWithContact(contextFor(shop), {
          contact: phoneContact(phone),
          loggedInId: null,
          sessionId: null,
        }),
      ),
    );
    expect(new Set(logins.map(({ id }) => id)).size).toBe(1);
    expect(await Promise.all(sales.map(loadOwner))).toEqual(sales.map(() => logins[0]?.id));
    expect(await updateEvents()).toHaveLength(2);
  });

  it("leaves the orders of a customer whose data were erased", async () => {
    const sale = await buyAs({ phone });
    const { customerId } = await createLoggedInShopper(shop, phone);
    vi.setSystemTime(Date.now() + second);
    await merchant(shop)("DELETE", `/customers/${customerId}/data`);
    vi.setSystemTime(Date.now() + 31 * second);
    const { ask } = await createLoggedInShopper(shop, phone);
    expect(await orderIdsOf(ask)).toEqual([]);
    expect(await loadOwner(sale)).toBe(customerId);
  });

  it("takes over the order of the guest's own session", async () => {
    const ask = shopper(shop);
    const sale = await buyAs({ phone }, ask);
    expect(sessionCookieOf(await logIn(ask, phone))).not.toBeNull();
    expect(await orderIdsOf(ask)).toEqual(idsOf(sale));
  });

  it("formats totals in the business's currency", async () => {
    for (const currency of ["JPY", "KWD"]) {
      shop = await createBusiness({ currency });
      product = await createProduct(shop);
      const sale = await buyAs({ phone });
      const { ask } = await createLoggedInShopper(shop, phone);
      const { total_price } = dataOf(await ask("GET", `/orders/${sale.id}`));
      const [event] = await updateEvents();
      expect(JSON.parse(String(event?.data))).toMatchObject({ total_price, currency });
    }
  });
});
