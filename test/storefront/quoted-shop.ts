import { beforeEach, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { rowsOf } from "../support/shop-database.ts";
import { type Answer, givenBusiness, shopper } from "../support/world.ts";
import { dataOf } from "./catalogue-stock.ts";

/** When each test of quotes begins. */
export const start = Date.parse("2030-05-01T12:00:00Z");
export const minutes = (count: number) => start + count * 60_000;
export const later = (count: number) => vi.setSystemTime(minutes(count));

type QuoteData = {
  quote_id: string;
  unit_price: string;
  subtotal: string;
  parts: { name: string; amount: string }[];
  expires_at: string;
};

export const quoted = async (asked: Promise<Answer>) => dataOf<QuoteData>(await asked);

export const size = (name: string, priceAdjustmentMinor: number, isDefault: boolean) => ({
  name,
  priceAdjustmentMinor,
  isDefault,
  axisValues: { size: name },
  isActive: true,
  sku: null,
  durationMinutes: null,
  bufferMinutes: null,
  capacity: null,
});

/** For each test of the file: a shop, and what a shopper asks of its quotes. */
export function quotedShop() {
  let shop: CreatedBusiness;
  let caller: ReturnType<typeof shopper>;

  beforeEach(async () => {
    vi.setSystemTime(start);
    shop = await givenBusiness();
    caller = shopper(shop);
  });

  const ask: typeof caller = (...request) => caller(...request);

  /** Tea at 10.00, large by default for 3.00 more, with honey for 0.50. */
  async function givenTea(): Promise<{
    tea: Product;
    small: string;
    large: string;
    honey: string;
  }> {
    const tea = await givenProduct(shop, {
      name: "Tea",
      variantAxes: [{ name: "size", label: "Size", values: ["Small", "Large"] }],
      variants: [size("Small", -100, false), size("Large", 300, true)],
      addOns: [
        {
          name: "Extras",
          selectionType: "multiple",
          isRequired: false,
          options: [{ name: "Honey", priceMinor: 50 }],
        },
      ],
    });
    const [small, large] = tea.variants.map(({ id }) => id);
    const honey = tea.addOns[0]?.options[0]?.id;
    return { tea, small: small ?? "", large: large ?? "", honey: honey ?? "" };
  }

  return {
    shop: () => shop,
    ask,
    givenTea,
    quote: (body: unknown) => ask("POST", "/catalogue/quotes", { body }),
    read: (id: string) => ask("GET", `/catalogue/quotes/${id}`),
    refresh: (id: string, body: unknown = {}) =>
      ask("POST", `/catalogue/quotes/${id}/refresh`, { body }),
    count: async () =>
      (
        await rowsOf(
          shop,
          "select count(*) as n from price_quotes where business_id = ?",
          shop.business.id,
        )
      )[0]?.n,
  };
}
