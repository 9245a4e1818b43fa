import { expect, vi } from "vitest";
import { minute } from "../../shared/kernel/index.ts";
import { createBookingShop, requireData } from "../bookings/create-booking.ts";
import { raiseRateLimits } from "../http/prepare-business.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  type ApiClient,
  type ApiResponse,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

/** The most D1 round trips of POST /checkout. */
export const maxRoundTrips = 3;

const start = Date.parse("2030-05-06T09:00:00Z");

const paymentFields = {
  cash: { payment_method: "cash" },
  "mobile money": {
    payment_method: "mobile_money",
    mobile_money_details: { phone_number: "0241234560", provider: "mtn" },
  },
} as const;
export type TeaPaymentMethod = keyof typeof paymentFields;
export const methods = ["cash", "mobile money"] as const;

/** Moves the clock past the 5 s for which an isolate caches keys and catalogues. */
export const expireCaches = () => vi.setSystemTime(Date.now() + 6_000);

/**
 * A shop with tea at two locations, two units at the order's own and fifty at the other. All orders
 * are of one customer's phone. `reset` restores stock and deal uses before each test.
 */
export async function createTeaShop() {
  const shop = await createBookingShop();
  await raiseRateLimits(shop);
  const elsewhere = (
    await requireData(merchant(shop)("POST", "/locations", { body: { name: "Osu" } }))
  ).id;
  const tea = await createProduct(shop, { defaultPriceMinor: 10_000, inventoryType: "tracked" });
  let time = start;
  const sql = (query: string, ...values: unknown[]) => selectRows(shop, query, ...values);

  const teaShop = {
    shop,
    tea,
    elsewhere,

    setTeaStock: (locationId: string, units: number) =>
      sql(
        `insert into stock_levels (business_id, item_id, product_id, location_id, quantity_on_hand, quantity_reserved, updated_at)
          values (?1, ?2, ?2, ?3, ?4, 0, 0)
          on conflict do update set quantity_on_hand = ?4, quantity_reserved = 0`,
        shop.business.id,
        tea.id,
        locationId,
        units,
      ),

    /** Moves the clock on, and restores the stock and the deal uses since the first test. */
    async reset(): Promise<void> {
      time += 20 * minute;
      vi.setSystemTime(time);
      await teaShop.setTeaStock(shop.business.locations[0]?.id ?? "", 2);
      await teaShop.setTeaStock(elsewhere, 50);
      const used =
        "delete from deal_redemptions where business_id = ? and redeemed_at > ? returning 1";
      await sql(used, shop.business.id, start + 19 * minute);
    },

    add: async (ask: ApiClient, quantity: number, fields: object = {}): Promise<void> =>
      requireData(ask("POST", "/cart/items", { body: { item_id: tea.id, quantity, ...fields } })),

    async checkOut(
      ask: ApiClient,
      method: TeaPaymentMethod,
      fields: object = {},
      key?: string,
    ): Promise<ApiResponse> {
      const { id: cart_id } = await requireData(ask("GET", "/cart")); // also fills the cache of keys
      const body = {
        cart_id,
        customer: { phone: "0241234567" },
        ...paymentFields[method],
        ...fields,
      };
      return ask("POST", "/checkout", {
        body,
        ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
      });
    },

    /** Places earlier orders of the same customer. */
    async createEarlierOrders(times: number): Promise<void> {
      await teaShop.setTeaStock(elsewhere, 50);
      for (let time = 0; time < times; time += 1) {
        const ask = shopper(shop);
        await teaShop.add(ask, 1);
        await requireData(teaShop.checkOut(ask, "cash"));
      }
    },

    createSingleUseDeal: (value: string) =>
      createDeal(shop, { name: value, value, perCustomerLimit: 1 }),

    /** Sets how often others have used each deal with a usage limit of one. */
    setUsesByOthers: (times: number) =>
      sql(
        "update deals set times_redeemed = ? where business_id = ? and usage_limit = 1 returning id",
        times,
        shop.business.id,
      ),

    setStaticRates: () =>
      requireData(
        merchant(shop)("PATCH", "", {
          body: { fx: { static_rates: { base: "GHS", rates: { USD: "0.08" } } } },
        }),
      ),

    /** Expects a sale with this total and this number of round trips. */
    async expectSold(
      ask: ApiClient,
      answer: ApiResponse,
      { total, d1 }: Readonly<{ total: string; d1: number }>,
    ): Promise<void> {
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const { order_id, bill_token } = Object(answer.body).data;
      const order = await requireData(ask("GET", `/orders/${order_id}?token=${bill_token}`));
      expect(order.total_price).toBe(total);
      expect(roundTrips(answer)).toMatchObject({ d1, do: 1 });
      expect(d1).toBeLessThanOrEqual(maxRoundTrips);
    },
  };
  vi.setSystemTime(start);
  return teaShop;
}

export type TeaShop = Awaited<ReturnType<typeof createTeaShop>>;
