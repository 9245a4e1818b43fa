import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { book, had } from "../bookings/given.ts";
import { givenDeal } from "../support/deals.ts";
import { rowsOf } from "../support/shop-database.ts";
import { merchant, roundTrips, shopper } from "../support/world.ts";
import { type Ask, forget, givenTeaShop, methods, most, type TeaShop } from "./trip-shop.ts";

type Case = Readonly<{
  name: string;
  /** What is there besides the tea. */
  given?: (shop: TeaShop) => Promise<unknown>;
  /** What of it is in the cart; answers with what the body says besides. */
  filled: (shop: TeaShop, ask: Ask) => Promise<object | undefined>;
  /** Round trips in cash where the isolate remembers the catalogue. */
  warm: number;
  total: string;
}>;

const pieces = (quantity: number) => async (shop: TeaShop, ask: Ask) => {
  await shop.add(ask, quantity);
  return undefined;
};

/** These deals, each once to a customer, who has used the best of them up. */
const usedUp =
  (values: readonly string[], used: number) =>
  async ({ once, bought }: TeaShop) => {
    for (const value of values) await once(value);
    await bought(used);
  };

const quotedTo = (ask: Ask, amount: string) =>
  had(ask("POST", "/fx/quotes", { body: { from: "GHS", to: "USD", amount } }));

const cases: readonly Case[] = [
  {
    name: "what is at the order's own location",
    filled: pieces(1),
    warm: 1,
    total: "100.00",
  },
  {
    name: "pieces that are at another location",
    filled: pieces(3),
    warm: 1,
    total: "300.00",
  },
  {
    name: "a deal that the customer has used up",
    given: usedUp(["10"], 1),
    filled: pieces(1),
    warm: 2,
    total: "100.00",
  },
  {
    name: "several deals that the customer has used up",
    given: usedUp(["40", "30", "20", "10"], 2),
    filled: pieces(1),
    warm: 2,
    total: "80.00",
  },
  {
    name: "a deal that others have used up, and the next best",
    async given({ shop }) {
      await givenDeal(shop, { value: "50", usageLimit: 1 });
      await givenDeal(shop, { value: "10" });
    },
    async filled({ othersUsed, add }, ask) {
      await othersUsed(0);
      await add(ask, 1);
      await othersUsed(1); // since the cart was told of it
      return undefined;
    },
    warm: 2,
    total: "90.00",
  },
  {
    name: "used-up deals and pieces at another location",
    given: usedUp(["20", "10"], 2),
    filled: pieces(5),
    warm: 2,
    total: "500.00",
  },
  {
    name: "a coupon on top of a used-up deal, both of limited use",
    async given(shop) {
      await usedUp(["20"], 1)(shop);
      await givenDeal(shop.shop, { code: "TENTH", usageLimit: 5, perCustomerLimit: 1 });
    },
    async filled({ add }, ask) {
      await add(ask, 1);
      await had(ask("POST", "/cart/coupons", { body: { coupon_code: "TENTH" } }));
      return undefined;
    },
    warm: 2,
    total: "90.00",
  },
  {
    name: "a locked rate, of a total that a used-up deal raises",
    async given(shop) {
      await shop.givenRates();
      await usedUp(["20", "10"], 2)(shop);
    },
    async filled({ add }, ask) {
      await add(ask, 3);
      return { pay_currency: "USD" };
    },
    warm: 2,
    total: "300.00",
  },
  {
    name: "the shopper's own FX quote, used-up deals and pieces elsewhere",
    async given(shop) {
      await shop.givenRates();
      await usedUp(["20", "10"], 2)(shop);
    },
    async filled({ add }, ask) {
      await add(ask, 3);
      const { quote_id } = await quotedTo(ask, "300.00");
      return { pay_currency: "USD", fx_quote_id: quote_id };
    },
    warm: 2,
    total: "300.00",
  },
  {
    name: "a booking, a quote whose lock has expired, an FX quote and used-up deals",
    async given(shop) {
      await shop.givenRates();
      await usedUp(["20", "10"], 2)(shop);
      const body = { name: "Massage", default_price: "80", duration_minutes: 60, capacity: 4 };
      await had(merchant(shop.shop)("POST", "/services", { body }));
    },
    async filled({ shop, tea, add }, ask) {
      const wanted = { product_id: tea.id, quantity: 3 };
      const { quote_id } = await had(ask("POST", "/catalogue/quotes", { body: wanted }));
      await add(ask, 3, { quote_id });
      vi.setSystemTime(Date.now() + 15 * 60_000);
      const [service] = await rowsOf(
        shop,
        "select product_id from services where business_id = ?",
        shop.business.id,
      );
      const massage = { product_id: String(service?.product_id) };
      await had(book(ask, massage, "2030-05-07T10:00:00.000Z", { location_id: null }));
      const fx = await quotedTo(ask, "380.00");
      return { pay_currency: "USD", fx_quote_id: fx.quote_id };
    },
    warm: 2,
    total: "380.00",
  },
];

describe.each(cases)("POST /checkout of $name", ({ given, filled, warm, total }) => {
  let shop: TeaShop;
  let ask: Ask;

  beforeAll(async () => {
    shop = await givenTeaShop();
    await given?.(shop);
  });

  beforeEach(async () => {
    await shop.opened();
    ask = shopper(shop.shop);
  });

  it.each(methods)("by %s, where all is remembered", async (method) => {
    const fields = await filled(shop, ask);
    await had(ask("GET", "/cart"));
    await had(ask("GET", `/catalogue/products/${shop.tea.id}`));
    const answer = await shop.pay(ask, method, fields);
    await shop.expectSold(ask, answer, { total, d1: method === "cash" ? warm : warm + 1 });
  });

  it.each(methods)("by %s, where nothing is", async (method) => {
    const fields = await filled(shop, ask);
    forget();
    const answer = await shop.pay(ask, method, fields);
    await shop.expectSold(ask, answer, { total, d1: method === "cash" ? 2 : most });
  });
});

describe("POST /checkout that does not come to a sale", () => {
  let shop: TeaShop;
  let ask: Ask;

  beforeAll(async () => {
    shop = await givenTeaShop();
    await givenDeal(shop.shop, { code: "ONE", usageLimit: 1 });
    await givenDeal(shop.shop, { value: "20", perCustomerLimit: 1 });
  });

  beforeEach(async () => {
    await shop.opened();
    ask = shopper(shop.shop);
  });

  it("takes no more round trips at a retry after a declined charge than at a first try", async () => {
    await shop.add(ask, 3);
    const declined = { mobile_money_details: { phone_number: "0241234563", provider: "mtn" } };
    expect((await shop.pay(ask, "mobile money", declined, "key")).status).toBe(503);
    forget();
    const answer = await shop.pay(ask, "mobile money", declined, "key");
    expect(answer.status).toBe(503);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(most);
  });

  /** Of a catalogue that the isolate remembers, and of one that it does not. */
  const memories = ["remembered", "forgotten"] as const;

  async function expectRefused(memory: (typeof memories)[number], context: object): Promise<void> {
    if (memory === "forgotten") forget();
    const answer = await shop.pay(ask, "mobile money");
    expect(answer).toMatchObject({ status: 422, body: { error: { context } } });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(most);
  }

  it.each(memories)("refuses pieces that are nowhere within them, all %s", async (memory) => {
    await shop.add(ask, 52);
    await shop.stocked(shop.elsewhere, 10);
    await expectRefused(memory, { rule: "OUT_OF_STOCK", quantity_available: 12 });
  });

  it.each(memories)("refuses a coupon that others used up within them, all %s", async (memory) => {
    await shop.othersUsed(0);
    await shop.add(ask, 1);
    await had(ask("POST", "/cart/coupons", { body: { coupon_code: "ONE" } }));
    await shop.othersUsed(1);
    await expectRefused(memory, { rule: "COUPON_EXHAUSTED" });
    expect((await had(ask("GET", "/cart"))).coupon).toBeNull();
  });
});
