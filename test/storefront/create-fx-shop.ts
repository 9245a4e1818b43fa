import { expect } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { type ApiResponse, createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

/** Sets the business's provider of exchange rates and its own rates. */
export const setFxSettings = (shop: CreatedBusiness, fx: unknown): Promise<ApiResponse> =>
  merchant(shop)("PATCH", "", { body: { fx } });

export const setStaticRates = (
  shop: CreatedBusiness,
  rates: Readonly<Record<string, string>>,
): Promise<ApiResponse> => setFxSettings(shop, { static_rates: { base: "GHS", rates } });

export const ruleViolationResponse = (rule: string) => ({
  status: 422,
  body: { error: { context: { rule } } },
});

export type Shopper = ReturnType<typeof shopper>;

export type FxShop = Awaited<ReturnType<typeof createFxShop>>;

/** Creates a shop with one product at 25.10 cedis and rates for dollars, yen and dinars. */
export async function createFxShop() {
  const shop = await createBusiness();
  const ask: Shopper = shopper(shop);
  const product: Product = await createProduct(shop, {
    defaultPriceMinor: 2_510,
    inventoryType: "tracked",
  });
  await setStock(shop, product, 10);
  await setStaticRates(shop, { USD: "0.08", JPY: "14.25", KWD: "0.025" });
  const { id } = shop.business;

  return {
    shop,
    ask,

    /** Creates a cart of two units, 50.20 cedis, and returns its id. */
    createCart: async (caller = ask): Promise<string> =>
      dataOf(await caller("POST", "/cart/items", { body: { item_id: product.id, quantity: 2 } }))
        .id,

    /** Creates a quote for this amount and returns its id. */
    createQuote: async (fields: object = {}): Promise<string> => {
      const body = { from: "GHS", to: "USD", amount: "50.20", ...fields };
      return dataOf(await ask("POST", "/fx/quotes", { body })).quote_id;
    },

    checkout: (body: unknown, { caller = ask, key }: { caller?: Shopper; key?: string } = {}) =>
      caller("POST", "/checkout", {
        body,
        ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
      }),

    rows: (table: string) => selectRows(shop, `select * from ${table} where business_id = ?`, id),

    charges: () =>
      selectRows(
        shop,
        `select amount_minor, sandbox_charges.currency, sandbox_charges.status from sandbox_charges
         join orders on orders.id = order_id where business_id = ?`,
        id,
      ),

    /** The id of the order that used a quote. */
    findOrderUsingQuote: async (quoteId: string) =>
      (await selectRows(shop, "select used_by_order_id from fx_quotes where id = ?", quoteId))[0]
        ?.used_by_order_id,

    /** Makes every placing batch fail, like a database outage. */
    startOutage: () =>
      selectRows(
        shop,
        "create trigger outage before insert on payments begin select raise(abort, 'Network connection lost.'); end",
      ),

    endOutage: () => selectRows(shop, "drop trigger outage"),
  };
}

/** Expects no order, no event and no reserved stock. */
export async function assertNothingSold({ rows }: FxShop): Promise<void> {
  expect(await rows("orders")).toEqual([]);
  expect(await rows("events")).toEqual([]);
  expect(await rows("stock_levels")).toMatchObject([{ quantity_reserved: 0 }]);
}

/** Mobile money in dollars that is captured immediately. */
export const mobileMoneyCheckout = (cartId: string, fields: object = {}, phone = "0241234560") => ({
  cart_id: cartId,
  customer: { email: "ama@example.com" },
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: phone, provider: "mtn" },
  pay_currency: "USD",
  ...fields,
});
