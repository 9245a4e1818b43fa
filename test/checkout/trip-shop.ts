import { expect, vi } from "vitest";
import { minute } from "../../shared/kernel/index.ts";
import { givenShop, had } from "../bookings/given.ts";
import { withoutLimits } from "../http/open-shop.ts";
import { givenProduct } from "../support/catalogue.ts";
import { givenDeal } from "../support/deals.ts";
import { rowsOf } from "../support/shop-database.ts";
import { type Answer, merchant, roundTrips, shopper } from "../support/world.ts";

/** architecture.md, Speed: POST /checkout. */
export const most = 3;

const start = Date.parse("2030-05-06T09:00:00Z");

const pays = {
  cash: { payment_method: "cash" },
  "mobile money": {
    payment_method: "mobile_money",
    mobile_money_details: { phone_number: "0241234560", provider: "mtn" },
  },
} as const;
export type Method = keyof typeof pays;
export const methods = ["cash", "mobile money"] as const;

export type Ask = ReturnType<typeof shopper>;

/** From here on the isolate remembers neither keys nor catalogues, which it does for 5 s. */
export const forget = () => vi.setSystemTime(Date.now() + 6_000);

/**
 * A shop with tea at two locations, two pieces at the order's own and fifty at the other, whose
 * customers all have one phone. `opened` begins each of its tests with what there was before the first.
 */
export async function givenTeaShop() {
  const shop = await givenShop();
  await withoutLimits(shop);
  const elsewhere = (await had(merchant(shop)("POST", "/locations", { body: { name: "Osu" } }))).id;
  const tea = await givenProduct(shop, { defaultPriceMinor: 10_000, inventoryType: "tracked" });
  let time = start;
  const sql = (query: string, ...values: unknown[]) => rowsOf(shop, query, ...values);

  const ofShop = {
    shop,
    tea,
    elsewhere,

    stocked: (locationId: string, pieces: number) =>
      sql(
        `insert into stock_levels (business_id, item_id, product_id, location_id, quantity_on_hand, quantity_reserved, updated_at)
          values (?1, ?2, ?2, ?3, ?4, 0, 0)
          on conflict do update set quantity_on_hand = ?4, quantity_reserved = 0`,
        shop.business.id,
        tea.id,
        locationId,
        pieces,
      ),

    /** Some time later: all pieces are there again, and so are the uses of deals since the first test. */
    async opened(): Promise<void> {
      time += 20 * minute;
      vi.setSystemTime(time);
      await ofShop.stocked(shop.business.locations[0]?.id ?? "", 2);
      await ofShop.stocked(elsewhere, 50);
      const used =
        "delete from deal_redemptions where business_id = ? and redeemed_at > ? returning 1";
      await sql(used, shop.business.id, start + 19 * minute);
    },

    add: async (ask: Ask, quantity: number, fields: object = {}): Promise<void> =>
      had(ask("POST", "/cart/items", { body: { item_id: tea.id, quantity, ...fields } })),

    async pay(ask: Ask, method: Method, fields: object = {}, key?: string): Promise<Answer> {
      const { id: cart_id } = await had(ask("GET", "/cart")); // and with it the business's key
      const body = { cart_id, customer: { phone: "0241234567" }, ...pays[method], ...fields };
      return ask("POST", "/checkout", {
        body,
        ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
      });
    },

    /** The same customer's earlier orders. */
    async bought(times: number): Promise<void> {
      await ofShop.stocked(elsewhere, 50);
      for (let time = 0; time < times; time += 1) {
        const ask = shopper(shop);
        await ofShop.add(ask, 1);
        await had(ofShop.pay(ask, "cash"));
      }
    },

    once: (value: string) => givenDeal(shop, { name: value, value, perCustomerLimit: 1 }),

    /** So often others have used each deal that can be used once. */
    othersUsed: (times: number) =>
      sql(
        "update deals set times_redeemed = ? where business_id = ? and usage_limit = 1 returning id",
        times,
        shop.business.id,
      ),

    givenRates: () =>
      had(
        merchant(shop)("PATCH", "", {
          body: { fx: { static_rates: { base: "GHS", rates: { USD: "0.08" } } } },
        }),
      ),

    /** A sale of that total that took so many round trips. */
    async expectSold(
      ask: Ask,
      answer: Answer,
      { total, d1 }: Readonly<{ total: string; d1: number }>,
    ): Promise<void> {
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const { order_id, bill_token } = Object(answer.body).data;
      const order = await had(ask("GET", `/orders/${order_id}?token=${bill_token}`));
      expect(order.total_price).toBe(total);
      expect(roundTrips(answer)).toMatchObject({ d1, do: 1 });
      expect(d1).toBeLessThanOrEqual(most);
    },
  };
  vi.setSystemTime(start);
  return ofShop;
}

export type TeaShop = Awaited<ReturnType<typeof givenTeaShop>>;
