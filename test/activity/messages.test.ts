import { describe, expect, it } from "vitest";
import { shopperMessages } from "../../shared/activity/index.ts";
import { defaultSettings } from "../../shared/businesses/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import { createCart, createCartLine } from "./create-cart.ts";

type MessageInput = Parameters<typeof shopperMessages>[1];
type Product = MessageInput["products"][number];
type Viewed = MessageInput["activity"]["products"][number];

const shop = (freeDeliveryThresholdMinor: number | null = null) => ({
  currency: "GHS",
  settings: { ...defaultSettings, freeDeliveryThresholdMinor },
});

const emptyInput: MessageInput = {
  cart: createCart(),
  activity: { products: [], dismissed: [] },
  products: [],
};

const codes = (...input: Parameters<typeof shopperMessages>) =>
  shopperMessages(...input).map(({ code }) => code);

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

const inputWithProduct = (
  one: Product,
  view = viewed(),
  dismissed: string[] = [],
): MessageInput => ({
  ...emptyInput,
  activity: { products: [view], dismissed },
  products: [one],
});

const inputWithCart = (unitPriceMinor: number): MessageInput => ({
  ...emptyInput,
  cart: createCart(createCartLine("tea", { unitPriceMinor })),
});

describe("free_delivery_threshold", () => {
  it("shows the missing amount for a cart below the threshold", () => {
    expect(shopperMessages(shop(5_000), inputWithCart(3_750))).toEqual([
      {
        code: "free_delivery_threshold",
        title: "GHS 12.50 more for free delivery.",
        severity: "info",
      },
    ]);
  });

  it.each([
    { what: "an empty cart", threshold: 5_000, input: emptyInput },
    { what: "a cart at the threshold", threshold: 5_000, input: inputWithCart(5_000) },
    { what: "a business without a threshold", threshold: null, input: inputWithCart(1) },
    { what: "a threshold of 0", threshold: 0, input: inputWithCart(1) },
  ])("is not sent for $what", ({ threshold, input }) => {
    expect(codes(shop(threshold), input)).toEqual([]);
  });

  it("compares the discounted subtotal without added tax", () => {
    const input = inputWithCart(5_000);
    const deal = { dealId: "deal_1", name: "Deal", code: null, amountMinor: 1, shares: [1] };
    const discounted = {
      ...input,
      cart: { ...input.cart, discounts: [deal] },
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
    { available: 6, messages: [] },
    { available: 5, messages: ["low_stock:prod_1"] },
    { available: 1, messages: ["low_stock:prod_1"] },
    { available: 0, messages: ["low_stock:prod_1"] },
  ])("returns $messages for $available units and a threshold of 5", ({ available, messages }) => {
    expect(codes(shop(), inputWithProduct(tracked(available)))).toEqual(messages);
  });

  it("shows the remaining quantity", () => {
    const titles = [2, 0].map(
      (left) => shopperMessages(shop(), inputWithProduct(tracked(left)))[0]?.title,
    );
    expect(titles).toEqual(["Tea: only 2 left.", "Tea is sold out."]);
  });

  it("is not sent for untracked or unavailable products", () => {
    expect(codes(shop(), inputWithProduct(product()))).toEqual([]);
    expect(codes(shop(), { ...inputWithProduct(tracked(1)), products: [] })).toEqual([]);
  });

  it("is sent for a product when all its variants are low", () => {
    const items = (...available: number[]) =>
      product({
        inventoryType: "variant_level",
        items: available.map((quantity) => ({ available: quantity, threshold: 5 })),
      });
    expect(codes(shop(), inputWithProduct(items(2, 30)))).toEqual([]);
    expect(shopperMessages(shop(), inputWithProduct(items(2, 3)))).toMatchObject([
      { title: "Tea: only 5 left." },
    ]);
    expect(codes(shop(), inputWithProduct(items()))).toEqual([]);
  });

  it("is not sent after it was dismissed, but others are", () => {
    const again = viewed({ lastViewedAt: 30 * minute });
    expect(codes(shop(), inputWithProduct(tracked(1), again, ["low_stock:prod_1"]))).toEqual([
      "back_again:prod_1",
    ]);
  });
});

describe("back_again", () => {
  it.each([
    { minutes: 0, messages: [] },
    { minutes: 29, messages: [] },
    { minutes: 30, messages: ["back_again:prod_1"] },
    { minutes: 3000, messages: ["back_again:prod_1"] },
  ])("returns $messages $minutes minutes after the first view", ({ minutes, messages }) => {
    const view = viewed({ count: 2, lastViewedAt: minutes * minute });
    expect(codes(shop(), inputWithProduct(product(), view))).toEqual(messages);
  });
});
