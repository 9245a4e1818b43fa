import { describe, expect, it } from "vitest";
import { messagesOf } from "../../shared/activity/index.ts";
import { defaultSettings } from "../../shared/businesses/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import { cartLine, cartOf } from "./given.ts";

type Told = Parameters<typeof messagesOf>[1];
type Product = Told["products"][number];
type Viewed = Told["activity"]["products"][number];

const shop = (freeDeliveryThresholdMinor: number | null = null) => ({
  currency: "GHS",
  settings: { ...defaultSettings, freeDeliveryThresholdMinor },
});

const nothing: Told = {
  cart: cartOf(),
  activity: { products: [], dismissed: [] },
  products: [],
};

const codes = (...asked: Parameters<typeof messagesOf>) =>
  messagesOf(...asked).map(({ code }) => code);

const viewed = (fields: Partial<Viewed> = {}): Viewed => ({
  productId: "prod_1",
  categoryId: null,
  count: 1,
  firstViewedAt: 0,
  lastViewedAt: 0,
  ...fields,
});

const product = (fields: Partial<Product> = {}): Product => ({
  id: "prod_1",
  name: "Tea",
  inventoryType: "none",
  items: [],
  ...fields,
});

const sees = (one: Product, view = viewed(), dismissed: string[] = []): Told => ({
  ...nothing,
  activity: { products: [view], dismissed },
  products: [one],
});

const holds = (unitPriceMinor: number): Told => ({
  ...nothing,
  cart: cartOf(cartLine("tea", { unitPriceMinor })),
});

describe("free_delivery_threshold", () => {
  it("is told of a cart below the threshold, with what is missing", () => {
    expect(messagesOf(shop(5_000), holds(3_750))).toEqual([
      {
        code: "free_delivery_threshold",
        title: "GHS 12.50 more for free delivery.",
        severity: "info",
      },
    ]);
  });

  it.each([
    { what: "an empty cart", threshold: 5_000, told: nothing },
    { what: "a cart at the threshold", threshold: 5_000, told: holds(5_000) },
    { what: "a business without such an offer", threshold: null, told: holds(1) },
    { what: "a threshold of nothing", threshold: 0, told: holds(1) },
  ])("is not told of $what", ({ threshold, told }) => {
    expect(codes(shop(threshold), told)).toEqual([]);
  });

  it("counts the goods after their discounts, without the tax that is added", () => {
    const told = holds(5_000);
    const deal = { dealId: "deal_1", name: "Deal", code: null, amountMinor: 1, shares: [1] };
    const discounted = {
      ...told,
      cart: { ...told.cart, discounts: [deal] },
    };
    const taxed = shop(5_000);
    const settings = { ...taxed.settings, tax: { ratePercent: "20", isInclusive: false } };
    expect(codes({ ...taxed, settings }, discounted)).toEqual(["free_delivery_threshold"]);
  });
});

describe("low_stock", () => {
  const tracked = (available: number, threshold = 5) =>
    product({ inventoryType: "tracked", items: [{ available, threshold }] });

  it.each([
    { available: 6, told: [] },
    { available: 5, told: ["low_stock:prod_1"] },
    { available: 1, told: ["low_stock:prod_1"] },
    { available: 0, told: ["low_stock:prod_1"] },
  ])("with $available pieces and a threshold of 5 tells $told", ({ available, told }) => {
    expect(codes(shop(), sees(tracked(available)))).toEqual(told);
  });

  it("says how many are left", () => {
    const titles = [2, 0].map((left) => messagesOf(shop(), sees(tracked(left)))[0]?.title);
    expect(titles).toEqual(["Tea: only 2 left.", "Tea is sold out."]);
  });

  it("is not told where nobody counts, nor of what cannot be bought any more", () => {
    expect(codes(shop(), sees(product()))).toEqual([]);
    expect(codes(shop(), { ...sees(tracked(1)), products: [] })).toEqual([]);
  });

  it("is told of a product of variants when every one of them is scarce", () => {
    const items = (...available: number[]) =>
      product({
        inventoryType: "variant_level",
        items: available.map((pieces) => ({ available: pieces, threshold: 5 })),
      });
    expect(codes(shop(), sees(items(2, 30)))).toEqual([]);
    expect(messagesOf(shop(), sees(items(2, 3)))).toMatchObject([{ title: "Tea: only 5 left." }]);
    expect(codes(shop(), sees(items()))).toEqual([]);
  });

  it("stays away once it was dismissed, and takes no other along", () => {
    const again = viewed({ lastViewedAt: 30 * minute });
    expect(codes(shop(), sees(tracked(1), again, ["low_stock:prod_1"]))).toEqual([
      "back_again:prod_1",
    ]);
  });
});

describe("back_again", () => {
  it.each([
    { minutes: 0, told: [] },
    { minutes: 29, told: [] },
    { minutes: 30, told: ["back_again:prod_1"] },
    { minutes: 3000, told: ["back_again:prod_1"] },
  ])("$minutes minutes after the first view tells $told", ({ minutes, told }) => {
    const view = viewed({ count: 2, lastViewedAt: minutes * minute });
    expect(codes(shop(), sees(product(), view))).toEqual(told);
  });
});
