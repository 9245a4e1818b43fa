import { expect } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { rowsOf } from "../support/shop-database.ts";
import { type Answer, givenBusiness, merchant, shopper } from "../support/world.ts";

export const dataOf = ({ body }: Answer) => Object(body).data;

/** The business's choice of a provider of exchange rates, and its own table. */
export const givenFx = (shop: CreatedBusiness, fx: unknown): Promise<Answer> =>
  merchant(shop)("PATCH", "", { body: { fx } });

export const givenRates = (
  shop: CreatedBusiness,
  rates: Readonly<Record<string, string>>,
): Promise<Answer> => givenFx(shop, { static_rates: { base: "GHS", rates } });

export const ruled = (rule: string) => ({ status: 422, body: { error: { context: { rule } } } });

export type Shopper = ReturnType<typeof shopper>;

export type FxShop = Awaited<ReturnType<typeof givenFxShop>>;

/** A shop of one product at 25.10 cedis, whose shoppers may pay in dollars, yen and dinars. */
export async function givenFxShop() {
  const shop = await givenBusiness();
  const ask: Shopper = shopper(shop);
  const product: Product = await givenProduct(shop, {
    defaultPriceMinor: 2_510,
    inventoryType: "tracked",
  });
  await givenStock(shop, product, 10);
  await givenRates(shop, { USD: "0.08", JPY: "14.25", KWD: "0.025" });
  const { id } = shop.business;

  return {
    shop,
    ask,

    /** The id of a cart of two pieces, 50.20 cedis. */
    filled: async (caller = ask): Promise<string> =>
      dataOf(await caller("POST", "/cart/items", { body: { item_id: product.id, quantity: 2 } }))
        .id,

    /** The id of a quote for just that. */
    quoted: async (fields: object = {}): Promise<string> => {
      const body = { from: "GHS", to: "USD", amount: "50.20", ...fields };
      return dataOf(await ask("POST", "/fx/quotes", { body })).quote_id;
    },

    checkout: (body: unknown, { caller = ask, key }: { caller?: Shopper; key?: string } = {}) =>
      caller("POST", "/checkout", {
        body,
        ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
      }),

    rows: (table: string) => rowsOf(shop, `select * from ${table} where business_id = ?`, id),

    charges: () =>
      rowsOf(
        shop,
        `select amount_minor, sandbox_charges.currency, sandbox_charges.status from sandbox_charges
         join orders on orders.id = order_id where business_id = ?`,
        id,
      ),

    /** The order that a quote was used by. */
    useOf: async (quoteId: string) =>
      (await rowsOf(shop, "select used_by_order_id from fx_quotes where id = ?", quoteId))[0]
        ?.used_by_order_id,

    /** Lets no order be placed, as a database that fails at that moment would. */
    outage: () =>
      rowsOf(
        shop,
        "create trigger outage before insert on payments begin select raise(abort, 'Network connection lost.'); end",
      ),

    outageEnds: () => rowsOf(shop, "drop trigger outage"),
  };
}

/** Neither an order nor an event is there, and no stock is held. */
export async function nothingSold({ rows }: FxShop): Promise<void> {
  expect(await rows("orders")).toEqual([]);
  expect(await rows("events")).toEqual([]);
  expect(await rows("stock_levels")).toMatchObject([{ quantity_reserved: 0 }]);
}

/** Mobile money that is captured at once, in dollars. */
export const mobileMoney = (cartId: string, fields: object = {}, phone = "0241234560") => ({
  cart_id: cartId,
  customer: { email: "ama@example.com" },
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: phone, provider: "mtn" },
  pay_currency: "USD",
  ...fields,
});
