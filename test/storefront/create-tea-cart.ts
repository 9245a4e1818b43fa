import { vi } from "vitest";
import { createProduct } from "../support/create-product.ts";
import { createBusiness, dataOf, shopper } from "../support/world.ts";
import { updateProductRow } from "./create-catalogue-rows.ts";

export const startTime = Date.parse("2030-05-01T12:00:00Z");
export const advanceTo = (minutes: number) => vi.setSystemTime(startTime + minutes * 60_000);

/** The response to a violated rule. */
export const ruleViolationResponse = (rule: string) => ({
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

/** Creates a shop with tea at 10.00, or 13.00 when large, and a shopper's cart. */
export async function createTeaCart() {
  vi.setSystemTime(startTime);
  const shop = await createBusiness();
  const ask = shopper(shop);
  const tea = await createProduct(shop, {
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
    raisePrice: () => updateProductRow(shop, tea.id, { defaultPriceMinor: 2_000 }),

    /** Creates a quote, for five units by default, and returns its id. */
    async createQuote(body: object = {}): Promise<string> {
      const wanted = { product_id: tea.id, quantity: 5, ...body };
      const answer = await ask("POST", "/catalogue/quotes", { body: wanted });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return dataOf(answer).quote_id;
    },

    /** Locks the current price of a quote again. */
    refreshQuote: (quoteId: string, body: object = {}) =>
      ask("POST", `/catalogue/quotes/${quoteId}/refresh`, { body }),
  };
}
