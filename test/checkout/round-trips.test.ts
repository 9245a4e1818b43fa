import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { addSlotToCart, requireData } from "../bookings/create-booking.ts";
import { createDeal } from "../support/create-deal.ts";
import { selectRows } from "../support/select-rows.ts";
import { type ApiClient, merchant, roundTrips, shopper } from "../support/world.ts";
import {
  createTeaShop,
  expireCaches,
  maxRoundTrips,
  methods,
  type TeaShop,
} from "./create-tea-shop.ts";

type RoundTripCase = Readonly<{
  name: string;
  /** Creates the other records of the shop. */
  prepareShop?: (shop: TeaShop) => Promise<unknown>;
  /** Fills the cart; returns further fields of the body. */
  fillCart: (shop: TeaShop, ask: ApiClient) => Promise<object | undefined>;
  /** Round trips of a cash checkout with a cached catalogue. */
  warm: number;
  total: string;
}>;

const addUnits = (quantity: number) => async (shop: TeaShop, ask: ApiClient) => {
  await shop.add(ask, quantity);
  return undefined;
};

/** Creates deals that each customer can use once; the customer has used the best of them. */
const createUsedUpDeals =
  (values: readonly string[], used: number) =>
  async ({ createSingleUseDeal, createEarlierOrders }: TeaShop) => {
    for (const value of values) await createSingleUseDeal(value);
    await createEarlierOrders(used);
  };

const createFxQuote = (ask: ApiClient, amount: string) =>
  requireData(ask("POST", "/fx/quotes", { body: { from: "GHS", to: "USD", amount } }));

const cases: readonly RoundTripCase[] = [
  {
    name: "what is at the order's own location",
    fillCart: addUnits(1),
    warm: 1,
    total: "100.00",
  },
  {
    name: "pieces that are at another location",
    fillCart: addUnits(3),
    warm: 1,
    total: "300.00",
  },
  {
    name: "a deal that the customer has used up",
    prepareShop: createUsedUpDeals(["10"], 1),
    fillCart: addUnits(1),
    warm: 2,
    total: "100.00",
  },
  {
    name: "several deals that the customer has used up",
    prepareShop: createUsedUpDeals(["40", "30", "20", "10"], 2),
    fillCart: addUnits(1),
    warm: 2,
    total: "80.00",
  },
  {
    name: "a deal that others have used up, and the next best",
    async prepareShop({ shop }) {
      await createDeal(shop, { value: "50", usageLimit: 1 });
      await createDeal(shop, { value: "10" });
    },
    async fillCart({ setUsesByOthers, add }, ask) {
      await setUsesByOthers(0);
      await add(ask, 1);
      await setUsesByOthers(1); // after the cart has read the deal
      return undefined;
    },
    warm: 2,
    total: "90.00",
  },
  {
    name: "used-up deals and pieces at another location",
    prepareShop: createUsedUpDeals(["20", "10"], 2),
    fillCart: addUnits(5),
    warm: 2,
    total: "500.00",
  },
  {
    name: "a coupon on top of a used-up deal, both of limited use",
    async prepareShop(shop) {
      await createUsedUpDeals(["20"], 1)(shop);
      await createDeal(shop.shop, { code: "TENTH", usageLimit: 5, perCustomerLimit: 1 });
    },
    async fillCart({ add }, ask) {
      await add(ask, 1);
      await requireData(ask("POST", "/cart/coupons", { body: { coupon_code: "TENTH" } }));
      return undefined;
    },
    warm: 2,
    total: "90.00",
  },
  {
    name: "a locked rate, of a total that a used-up deal raises",
    async prepareShop(shop) {
      await shop.setStaticRates();
      await createUsedUpDeals(["20", "10"], 2)(shop);
    },
    async fillCart({ add }, ask) {
      await add(ask, 3);
      return { pay_currency: "USD" };
    },
    warm: 2,
    total: "300.00",
  },
  {
    name: "the shopper's own FX quote, used-up deals and pieces elsewhere",
    async prepareShop(shop) {
      await shop.setStaticRates();
      await createUsedUpDeals(["20", "10"], 2)(shop);
    },
    async fillCart({ add }, ask) {
      await add(ask, 3);
      const { quote_id } = await createFxQuote(ask, "300.00");
      return { pay_currency: "USD", fx_quote_id: quote_id };
    },
    warm: 2,
    total: "300.00",
  },
  {
    name: "a booking, a quote whose lock has expired, an FX quote and used-up deals",
    async prepareShop(shop) {
      await shop.setStaticRates();
      await createUsedUpDeals(["20", "10"], 2)(shop);
      const body = { name: "Massage", default_price: "80", duration_minutes: 60, capacity: 4 };
      await requireData(merchant(shop.shop)("POST", "/services", { body }));
    },
    async fillCart({ shop, tea, add }, ask) {
      const wanted = { product_id: tea.id, quantity: 3 };
      const { quote_id } = await requireData(ask("POST", "/catalogue/quotes", { body: wanted }));
      await add(ask, 3, { quote_id });
      vi.setSystemTime(Date.now() + 15 * 60_000);
      const [service] = await selectRows(
        shop,
        "select product_id from services where business_id = ?",
        shop.business.id,
      );
      const massage = { product_id: String(service?.product_id) };
      await requireData(
        addSlotToCart(ask, massage, "2030-05-07T10:00:00.000Z", { location_id: null }),
      );
      const fx = await createFxQuote(ask, "380.00");
      return { pay_currency: "USD", fx_quote_id: fx.quote_id };
    },
    warm: 2,
    total: "380.00",
  },
];

describe.each(cases)("POST /checkout of $name", ({ prepareShop, fillCart, warm, total }) => {
  let shop: TeaShop;
  let ask: ApiClient;

  beforeAll(async () => {
    shop = await createTeaShop();
    await prepareShop?.(shop);
  });

  beforeEach(async () => {
    await shop.reset();
    ask = shopper(shop.shop);
  });

  it.each(methods)("by %s, with a cached catalogue", async (method) => {
    const fields = await fillCart(shop, ask);
    await requireData(ask("GET", "/cart"));
    await requireData(ask("GET", `/catalogue/products/${shop.tea.id}`));
    const answer = await shop.checkOut(ask, method, fields);
    await shop.expectSold(ask, answer, { total, d1: method === "cash" ? warm : warm + 1 });
  });

  it.each(methods)("by %s, with nothing cached", async (method) => {
    const fields = await fillCart(shop, ask);
    expireCaches();
    const answer = await shop.checkOut(ask, method, fields);
    await shop.expectSold(ask, answer, { total, d1: method === "cash" ? 2 : maxRoundTrips });
  });
});

describe("POST /checkout that fails", () => {
  let shop: TeaShop;
  let ask: ApiClient;

  beforeAll(async () => {
    shop = await createTeaShop();
    await createDeal(shop.shop, { code: "ONE", usageLimit: 1 });
    await createDeal(shop.shop, { value: "20", perCustomerLimit: 1 });
  });

  beforeEach(async () => {
    await shop.reset();
    ask = shopper(shop.shop);
  });

  it("makes no more round trips in a retry after a declined charge than in a first try", async () => {
    await shop.add(ask, 3);
    const declined = { mobile_money_details: { phone_number: "0241234563", provider: "mtn" } };
    expect((await shop.checkOut(ask, "mobile money", declined, "key")).status).toBe(503);
    expireCaches();
    const answer = await shop.checkOut(ask, "mobile money", declined, "key");
    expect(answer.status).toBe(503);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(maxRoundTrips);
  });

  /** With a cached catalogue and without. */
  const memories = ["remembered", "forgotten"] as const;

  async function expectRefused(memory: (typeof memories)[number], context: object): Promise<void> {
    if (memory === "forgotten") expireCaches();
    const answer = await shop.checkOut(ask, "mobile money");
    expect(answer).toMatchObject({ status: 422, body: { error: { context } } });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(maxRoundTrips);
  }

  it.each(memories)(
    "rejects units that no location has within the budget, catalogue %s",
    async (memory) => {
      await shop.add(ask, 52);
      await shop.setTeaStock(shop.elsewhere, 10);
      await expectRefused(memory, { rule: "OUT_OF_STOCK", quantity_available: 12 });
    },
  );

  it.each(memories)(
    "rejects a coupon that others have used up within the budget, catalogue %s",
    async (memory) => {
      await shop.setUsesByOthers(0);
      await shop.add(ask, 1);
      await requireData(ask("POST", "/cart/coupons", { body: { coupon_code: "ONE" } }));
      await shop.setUsesByOthers(1);
      await expectRefused(memory, { rule: "COUPON_EXHAUSTED" });
      expect((await requireData(ask("GET", "/cart"))).coupon).toBeNull();
    },
  );
});
