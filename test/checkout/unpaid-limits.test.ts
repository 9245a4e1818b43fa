import { beforeEach, describe, expect, it, vi } from "vitest";
import type { UnpaidLimits } from "../../shared/businesses/index.ts";
import {
  addSlotToCart,
  at,
  type BookingShop,
  cash,
  checkOut,
  createBooking,
  createBookingShop,
  createService,
  listSlotAllocations,
  mobileMoney,
  requireData,
  ruleOf,
  type ShopperClient,
} from "../bookings/create-booking.ts";
import { createCustomer, emailContact } from "../support/create-customer.ts";
import { createProduct } from "../support/create-product.ts";
import { runHousekeeping } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import { changeSettings } from "../support/settings.ts";
import { type CallOptions, merchant, shopper } from "../support/world.ts";

let shop: BookingShop;
let service: { product_id: string };

beforeEach(async () => {
  shop = await createBookingShop();
  service = await createService(shop, { capacity: 100, slot_interval_minutes: 5 });
});

/** A new session in a network, which an IPv6 address or an IPv4 address names. */
function visitor(address: string): ShopperClient {
  const ask = shopper(shop);
  return (method: string, path: string, options: CallOptions = {}) =>
    ask(method, path, {
      ...options,
      headers: { "CF-Connecting-IP": address, ...options.headers },
    });
}

const limitTo = (unpaidLimits: UnpaidLimits) => changeSettings(shop, { unpaidLimits });

/** The n-th slot of the day. */
const slot = (n: number) => at(8, n * 5);

const hold = (ask: ShopperClient, n: number) => addSlotToCart(ask, service, slot(n));

const refusal = (rule: string, context: object) => ({
  status: 422,
  body: { error: { code: "BUSINESS_RULE_VIOLATION", context: { rule, ...context } } },
});

const withContact = (customer: object, pay: object = cash) => ({ ...pay, customer });

/** Books a slot in a session of its own. */
async function book(n: number, fields: object = {}, address = `10.1.0.${n}`) {
  const ask = visitor(address);
  await requireData(hold(ask, n));
  return checkOut(ask, fields);
}

const countHolds = async () =>
  (await listSlotAllocations(shop)).filter((row) => Array.isArray(row) && row[0] === "hold").length;

describe("the holds of a session", () => {
  const visitorWithHolds = async (count: number) => {
    const ask = visitor("10.1.0.1");
    for (const n of Array.from({ length: count }, (_, index) => index)) {
      await requireData(hold(ask, n));
    }
    return ask;
  };

  it("are five at most, and a released one makes room", async () => {
    await limitTo({});
    const ask = await visitorWithHolds(5);
    expect(await hold(ask, 5)).toMatchObject(
      refusal("TOO_MANY_HOLDS", { scope: "session", limit: 5 }),
    );
    const { items } = await requireData(ask("GET", "/cart"));
    expect(items).toHaveLength(5);
    expect(await countHolds()).toBe(5);
    await requireData(ask("DELETE", `/cart/items/${items[0].id}`));
    await requireData(hold(ask, 5));
  });

  it("are renewed at the limit", async () => {
    await limitTo({ holdsPerSession: 2 });
    const ask = await visitorWithHolds(2);
    expect((await hold(ask, 1)).status).toBe(200);
  });

  it("count no longer once they have expired", async () => {
    await limitTo({ holdsPerSession: 2 });
    const ask = await visitorWithHolds(2);
    vi.setSystemTime(Date.now() + 11 * 60_000);
    expect((await hold(ask, 7)).status).toBe(200);
  });
});

describe("the holds of an address", () => {
  it("are twenty at most, however many sessions ask at once", async () => {
    await limitTo({});
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => hold(visitor("10.2.0.1"), n)),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(10);
    for (const answer of refused) {
      expect(answer).toMatchObject(
        refusal("TOO_MANY_HOLDS", { scope: "address", limit: 20, retry_after_ms: 600_000 }),
      );
      expect(answer.headers.get("retry-after")).toBe("600");
    }
    expect(await countHolds()).toBe(20);
    expect((await hold(visitor("10.2.0.2"), 31)).status).toBe(200);
  });

  it("count a whole IPv6 network as one address", async () => {
    await limitTo({ perAddress: 1 });
    await requireData(hold(visitor("2001:db8::1"), 0));
    expect(ruleOf(await hold(visitor("2001:db8::2"), 1))).toEqual([422, "TOO_MANY_HOLDS"]);
  });
});

describe("the unpaid bookings of a contact", () => {
  const email = { email: "ama@example.com" };

  it("are three at most, in any session and from any network", async () => {
    await limitTo({});
    for (const n of [0, 1, 2]) await requireData(book(n, withContact(email)));
    expect(await book(3, withContact({ email: "AMA@example.com" }))).toMatchObject(
      refusal("TOO_MANY_UNPAID_BOOKINGS", { scope: "contact", limit: 3 }),
    );
    expect((await book(4, withContact({ email: "kofi@example.com" }))).status).toBe(200);
  });

  it("are counted together when they are in one order", async () => {
    await limitTo({});
    const ask = visitor("10.1.0.1");
    for (const n of [0, 1, 2, 3]) await requireData(hold(ask, n));
    expect(ruleOf(await checkOut(ask))).toEqual([422, "TOO_MANY_UNPAID_BOOKINGS"]);
    expect(await countHolds()).toBe(4);
  });

  it("stay three when four checkouts run at once", async () => {
    await limitTo({});
    const visitors = [0, 1, 2, 3].map((n) => visitor(`10.3.0.${n}`));
    await Promise.all(visitors.map((ask, n) => requireData(hold(ask, n))));
    const answers = await Promise.all(visitors.map((ask) => checkOut(ask, withContact(email))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 422]);
  });

  it("do not include paid, confirmed, cancelled and past ones", async () => {
    await limitTo({ bookingsPerContact: 1 });
    const paid = { ask: visitor("10.1.0.1"), pay: mobileMoney(0) };
    await createBooking(shop, service, { when: slot(0), ...paid });
    await createBooking(shop, service, { when: slot(1), ...paid });
    const confirmed = await createBooking(shop, service, { when: slot(2), pay: cash });
    const askMerchant = merchant(shop);
    await askMerchant("POST", `/orders/${confirmed.orderId}/status`, {
      body: { status: "confirmed" },
    });
    const cancelled = await createBooking(shop, service, { when: slot(3), pay: cash });
    await askMerchant("POST", `/orders/${cancelled.orderId}/cancel`, { body: {} });
    await createBooking(shop, service, { when: slot(4), pay: cash });
    vi.setSystemTime(Date.parse(at(12)));
    expect((await addSlotToCart(paid.ask, service, at(13))).status).toBe(200);
    expect((await checkOut(paid.ask)).status).toBe(200);
  });

  it("include free ones, because nobody pays them", async () => {
    await limitTo({ bookingsPerContact: 1 });
    service = await createService(shop, { default_price: "0", capacity: 10 });
    const one = await createBooking(shop, service, { when: at(9), pay: cash });
    await requireData(addSlotToCart(one.ask, service, at(10)));
    expect(ruleOf(await checkOut(one.ask))).toEqual([422, "TOO_MANY_UNPAID_BOOKINGS"]);
  });

  it("are those of the customer after a login", async () => {
    await limitTo({ bookingsPerContact: 1 });
    const ask = visitor("10.1.0.1");
    await logIn(ask, "ama@example.com");
    await requireData(hold(ask, 0));
    await requireData(checkOut(ask, withContact({ email: "one@example.com" })));
    await requireData(hold(ask, 1));
    expect(ruleOf(await checkOut(ask, withContact({ email: "two@example.com" })))).toEqual([
      422,
      "TOO_MANY_UNPAID_BOOKINGS",
    ]);
  });
});

async function logIn(ask: ShopperClient, contact: string): Promise<void> {
  await createCustomer(shop, emailContact(contact));
  await requireData(ask("POST", "/auth/request-otp", { body: { contact } }));
  await requireData(ask("POST", "/auth/verify-otp", { body: { contact, otp_code: "123456" } }));
}

describe("the unpaid orders of an address", () => {
  const buy = async (address: string, itemId: string, pay: object = cash) => {
    const ask = visitor(address);
    await requireData(ask("POST", "/cart/items", { body: { item_id: itemId } }));
    return checkOut(ask, pay);
  };

  it("are limited within an hour, and paid ones do not count", async () => {
    await limitTo({ perAddress: 2 });
    const { id } = await createProduct(shop, { defaultPriceMinor: 900 });
    await requireData(buy("10.4.0.1", id, mobileMoney(0)));
    await requireData(buy("10.4.0.1", id));
    await requireData(buy("10.4.0.1", id));
    const refused = await buy("10.4.0.1", id, mobileMoney(1));
    expect(refused).toMatchObject(
      refusal("TOO_MANY_UNPAID_ORDERS", { scope: "address", limit: 2, retry_after_ms: 3_600_000 }),
    );
    expect((await buy("10.4.0.2", id)).status).toBe(200);
    vi.setSystemTime(Date.now() + 61 * 60_000);
    expect((await buy("10.4.0.1", id)).status).toBe(200);
  });

  it("are twenty at most, however many checkouts run at once", async () => {
    await limitTo({});
    const { id } = await createProduct(shop, { defaultPriceMinor: 900 });
    const answers = await Promise.all(Array.from({ length: 24 }, () => buy("10.4.0.3", id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  });

  it("are placed again with a new key after one of them is cancelled", async () => {
    await limitTo({ perAddress: 1 });
    const { id } = await createProduct(shop, { defaultPriceMinor: 900 });
    const { order_id, bill_token } = await requireData(buy("10.4.0.1", id));
    const ask = visitor("10.4.0.1");
    await requireData(ask("POST", "/cart/items", { body: { item_id: id } }));
    expect(ruleOf(await checkOut(ask))).toEqual([422, "TOO_MANY_UNPAID_ORDERS"]);
    await requireData(ask("POST", `/orders/${order_id}/cancel?token=${bill_token}`, { body: {} }));
    expect((await checkOut(ask)).status).toBe(200);
  });

  it("limit bookings as well", async () => {
    await limitTo({ bookingsPerContact: 10, perAddress: 2 });
    const ask = visitor("10.4.0.1");
    for (const n of [0, 1]) await requireData(hold(ask, n));
    await requireData(checkOut(ask));
    await requireData(hold(ask, 2));
    expect(await checkOut(ask)).toMatchObject(
      refusal("TOO_MANY_UNPAID_BOOKINGS", { scope: "address", limit: 2 }),
    );
  });

  it("keep a digest of the address for an hour, and never the address", async () => {
    const { id } = await createProduct(shop, { defaultPriceMinor: 900 });
    await requireData(buy("10.4.0.1", id));
    const digests = async () =>
      (
        await selectRows(
          shop,
          "select address_digest from orders where business_id = ?",
          shop.business.id,
        )
      ).map(({ address_digest }) => address_digest);
    expect(await digests()).toEqual([expect.stringMatching(/^[0-9a-f]{64}$|^[\w-]{43}$/)]);
    vi.setSystemTime(Date.now() + 61 * 60_000);
    await runHousekeeping();
    expect(await digests()).toEqual([null]);
  });
});

describe("a service that requires a verified contact", () => {
  const required = refusal("CUSTOMER_REQUIRED", {});

  beforeEach(async () => {
    service = await createService(shop, { require_verified_contact: true });
  });

  it("says so in its record", async () => {
    const path = `/scheduling/services/${service.product_id}`;
    expect(await requireData(shopper(shop)("GET", path))).toMatchObject({
      require_verified_contact: true,
    });
  });

  it("is neither held nor booked by a guest", async () => {
    const ask = visitor("10.5.0.1");
    expect(await addSlotToCart(ask, service, at(9))).toMatchObject(required);
    expect(await listSlotAllocations(shop)).toEqual([]);
  });

  it("is booked by a customer who is logged in", async () => {
    const ask = visitor("10.5.0.1");
    await logIn(ask, "ama@example.com");
    await requireData(addSlotToCart(ask, service, at(9)));
    expect((await checkOut(ask)).status).toBe(200);
  });

  it("is not checked out by a guest who added it before it asked for a contact", async () => {
    const open = await createService(shop);
    const ask = visitor("10.5.0.1");
    await requireData(addSlotToCart(ask, open, at(9)));
    await requireData(
      merchant(shop)("PATCH", `/services/${open.id}`, {
        body: { require_verified_contact: true },
      }),
    );
    expect(await checkOut(ask)).toMatchObject(required);
  });
});
