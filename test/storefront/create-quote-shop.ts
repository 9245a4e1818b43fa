import { beforeEach, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { type ApiResponse, createBusiness, shopper } from "../support/world.ts";
import { requireData } from "./create-catalogue-rows.ts";

/** The start time of each test. */
export const startTime = Date.parse("2030-05-01T12:00:00Z");
export const minutes = (count: number) => startTime + count * 60_000;
export const advanceTo = (count: number) => vi.setSystemTime(minutes(count));

type QuoteData = {
  quote_id: string;
  unit_price: string;
  subtotal: string;
  parts: { name: string; amount: string }[];
  expires_at: string;
};

export const readQuoteData = async (response: Promise<ApiResponse>) =>
  requireData<QuoteData>(await response);

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

/** Creates a shop before each test and returns the calls about quotes. */
export function setUpQuoteShop() {
  let shop: CreatedBusiness;
  let caller: ReturnType<typeof shopper>;

  beforeEach(async () => {
    vi.setSystemTime(startTime);
    shop = await createBusiness();
    caller = shopper(shop);
  });

  const ask: typeof caller = (...request) => caller(...request);

  /** Tea at 10.00, large by default for 3.00 more, with honey for 0.50. */
  async function createTea(): Promise<{
    tea: Product;
    small: string;
    large: string;
    honey: string;
  }> {
    const tea = await createProduct(shop, {
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
    createTea,
    quote: (body: unknown) => ask("POST", "/catalogue/quotes", { body }),
    read: (id: string) => ask("GET", `/catalogue/quotes/${id}`),
    refresh: (id: string, body: unknown = {}) =>
      ask("POST", `/catalogue/quotes/${id}/refresh`, { body }),
    count: async () =>
      (
        await selectRows(
          shop,
          "select count(*) as n from price_quotes where business_id = ?",
          shop.business.id,
        )
      )[0]?.n,
  };
}
