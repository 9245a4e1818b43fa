import { vi } from "vitest";
import { givenProduct } from "../support/catalogue.ts";
import { type Answer, givenBusiness, shopper } from "../support/world.ts";
import { changeProduct } from "./catalogue-stock.ts";

export const start = Date.parse("2030-05-01T12:00:00Z");
export const later = (minutes: number) => vi.setSystemTime(start + minutes * 60_000);

export const dataOf = ({ body }: Answer) => Object(body).data;

/** What a rule refused. */
export const broken = (rule: string) => ({
  status: 422,
  body: { error: { code: "BUSINESS_RULE_VIOLATION", retryable: false, context: { rule } } },
});

const variant = {
  isActive: true,
  sku: null,
  durationMinutes: null,
  bufferMinutes: null,
  capacity: null,
};

/** A shopper's cart in a shop whose tea costs 10.00, and 3.00 more when it is large. */
export async function givenTeaCart() {
  vi.setSystemTime(start);
  const shop = await givenBusiness();
  const ask = shopper(shop);
  const tea = await givenProduct(shop, {
    variantAxes: [{ name: "size", label: "Size", values: ["Small", "Large"] }],
    variants: [
      {
        ...variant,
        name: "Small",
        priceAdjustmentMinor: 0,
        isDefault: true,
        axisValues: { size: "Small" },
      },
      {
        ...variant,
        name: "Large",
        priceAdjustmentMinor: 300,
        isDefault: false,
        axisValues: { size: "Large" },
      },
    ],
    addOns: [
      {
        name: "Extras",
        selectionType: "multiple",
        isRequired: false,
        options: [{ name: "Honey", priceMinor: 50 }],
      },
    ],
  });
  return {
    shop,
    ask,
    tea,
    add: (body: object) => ask("POST", "/cart/items", { body: { item_id: tea.id, ...body } }),
    change: (lineId: string, quantity: number) =>
      ask("PATCH", `/cart/items/${lineId}`, { body: { quantity } }),
    lines: async () => dataOf(await ask("GET", "/cart/items")),
    priceRises: () => changeProduct(shop, tea.id, { defaultPriceMinor: 2_000 }),

    /** The id of a quote for five of the tea, unless told otherwise. */
    async quoted(body: object = {}): Promise<string> {
      const wanted = { product_id: tea.id, quantity: 5, ...body };
      const answer = await ask("POST", "/catalogue/quotes", { body: wanted });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return dataOf(answer).quote_id;
    },

    /** The quote promises the price of now for another while. */
    refreshed: (quoteId: string, body: object = {}) =>
      ask("POST", `/catalogue/quotes/${quoteId}/refresh`, { body }),
  };
}
