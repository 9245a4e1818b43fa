import { describe, expect, it } from "vitest";
import { standardTaxClass } from "../../shared/catalogue/index.ts";
import { calculateDiscounts, type DealTerms, linesRejection } from "../../shared/pricing/index.ts";
import { createTerms } from "./create-terms.ts";

const now = 1_000;

const line = (productId: string, unitPriceMinor: number, quantity = 1) => ({
  productId,
  groupIds: [],
  taxClass: standardTaxClass,
  unitPriceMinor,
  quantity,
});

const products = (...ids: string[]) => ({ type: "products" as const, ids: new Set(ids) });

const tiered = (...tiers: [minQuantity: number, percent: string][]): DealTerms["discount"] => ({
  type: "tiered",
  tiers: tiers.map(([minQuantity, percent]) => ({ minQuantity, percent })),
});

const buyXGetY = (fields: object = {}): DealTerms["discount"] => ({
  type: "buy_x_get_y",
  buyQuantity: 2,
  getQuantity: 1,
  percent: "100",
  maxUsesPerOrder: 1,
  ...fields,
});

const freeDelivery = { type: "free_delivery" } as const;

type DealCase = Readonly<{
  what: string;
  lines: readonly ReturnType<typeof line>[];
  terms: readonly Partial<DealTerms>[];
  deliveryMinor?: number;
  /** The share of each line, and of the delivery last. */
  shares: Readonly<Record<string, readonly number[]>>;
}>;

const dealCases: readonly DealCase[] = [
  {
    what: "buy 2 get 1 discounts the cheapest unit once",
    lines: [line("a", 300, 4), line("b", 100, 2)],
    terms: [{ id: "d1", discount: buyXGetY() }],
    shares: { d1: [0, 100, 0] },
  },
  {
    what: "buy 2 get 1 repeats up to max_uses_per_order",
    lines: [line("a", 300, 4), line("b", 100, 3)],
    terms: [{ id: "d1", discount: buyXGetY({ maxUsesPerOrder: 5 }) }],
    shares: { d1: [0, 200, 0] },
  },
  {
    what: "buy 2 of one product get 2 of another at half price",
    lines: [line("a", 300, 4), line("b", 101, 3)],
    terms: [
      {
        id: "d1",
        discount: buyXGetY({ getQuantity: 2, percent: "50", maxUsesPerOrder: 2 }),
        buyCoverage: products("a"),
        coverage: products("b"),
      },
    ],
    shares: { d1: [0, 101, 0] },
  },
  {
    what: "a unit is not both bought and discounted",
    lines: [line("a", 100, 2), line("b", 300)],
    terms: [
      { id: "d1", discount: buyXGetY(), buyCoverage: products("a"), coverage: products("a", "b") },
    ],
    shares: { d1: [0, 300, 0] },
  },
  {
    what: "the highest tier that a product reaches applies to all of its lines",
    lines: [line("a", 100, 3), line("a", 200, 2), line("b", 100, 4)],
    terms: [{ id: "d1", discount: tiered([3, "10"], [5, "20"], [9, "90"]) }],
    shares: { d1: [60, 80, 40, 0] },
  },
  {
    what: "rounding takes no line below zero",
    lines: [line("a", 1, 11), line("b", 1), line("c", 1)],
    terms: [{ id: "d1", discount: tiered([1, "25"], [2, "100"]) }],
    shares: { d1: [11, 1, 0, 0] },
  },
  {
    what: "free delivery deducts the delivery up to its maximum",
    lines: [line("a", 1_000)],
    terms: [{ id: "d1", discount: freeDelivery, maxDiscountMinor: 300 }],
    deliveryMinor: 500,
    shares: { d1: [0, 300] },
  },
  {
    what: "combined deals apply to products first, then the order, then the delivery",
    lines: [line("a", 1_000), line("b", 1_000)],
    terms: [
      { id: "d1", combinesWith: ["product", "delivery"] },
      { id: "d2", code: "D", discount: freeDelivery, combinesWith: ["product", "order"] },
      {
        id: "d3",
        code: "P",
        coverage: products("a"),
        discount: { type: "percentage", percent: "50" },
        combinesWith: ["order", "delivery"],
      },
    ],
    deliveryMinor: 500,
    shares: { d3: [500, 0, 0], d1: [50, 100, 0], d2: [0, 0, 500] },
  },
  {
    what: "both deals must allow the other's class",
    lines: [line("a", 1_000)],
    terms: [
      { id: "d1", combinesWith: ["order"] },
      { id: "d2", code: "C", combinesWith: [], discount: { type: "percentage", percent: "20" } },
    ],
    shares: { d2: [200, 0] },
  },
  {
    what: "two small deals that combine win over a larger one that does not",
    lines: [line("a", 1_000)],
    terms: [
      { id: "d1", combinesWith: ["order"] },
      { id: "d2", combinesWith: ["order"] },
      { id: "d3", combinesWith: [], discount: { type: "percentage", percent: "18" } },
    ],
    shares: { d1: [100, 0], d2: [90, 0] },
  },
  {
    what: "of equal sets the one with the older deal wins",
    lines: [line("a", 1_000)],
    terms: [
      { id: "d2", code: "OLD", combinesWith: [] },
      { id: "d3", code: "NEW", combinesWith: [] },
    ],
    shares: { d2: [100, 0] },
  },
  {
    what: "a deal without classes combines with a code that allows its class",
    lines: [line("a", 1_000)],
    terms: [{ id: "d1" }, { id: "d2", code: "C", combinesWith: ["order"] }],
    shares: { d1: [100, 0], d2: [90, 0] },
  },
];

describe("calculateDiscounts", () => {
  it.each(dealCases)("$what", ({ lines, terms, deliveryMinor, shares }) => {
    const deals = terms.map(createTerms);
    const discounts = calculateDiscounts(
      {
        lines,
        delivery: deliveryMinor === undefined ? null : { priceMinor: deliveryMinor },
        now,
      },
      {
        automatic: deals.filter(({ code }) => code === null),
        coupons: deals.filter(({ code }) => code !== null),
      },
    );
    const found = discounts.map((discount) => [
      discount.dealId,
      [...discount.shares, discount.deliveryShareMinor ?? 0],
    ]);
    const withDelivery = Object.entries(shares).map(([id, all]) => [
      id,
      all.length > lines.length ? all : [...all, 0],
    ]);
    expect(found).toEqual(withDelivery);
  });

  it("finds the best set among 500 combinable deals within its bound", () => {
    const lines = Array.from({ length: 40 }, (_, index) => line(`p${index}`, 1_000 + index));
    const automatic = Array.from({ length: 500 }, (_, index) =>
      createTerms({
        id: `deal_${String(index).padStart(3, "0")}`,
        discount: { type: "fixed_amount", amountMinor: 1 + (index % 9) },
        combinesWith: index % 2 === 0 ? ["order"] : [],
      }),
    );
    const discounts = calculateDiscounts(
      { lines, delivery: null, now },
      { automatic, coupons: [] },
    );
    expect(discounts).toHaveLength(250);
  });
});

it("ends a search beyond its bound with the same discounts for any order of deals", () => {
  const lines = Array.from({ length: 60 }, (_, index) => line(`p${index}`, 1_000 + index));
  const automatic = Array.from({ length: 60 }, (_, index) =>
    createTerms({
      id: `deal_${String(index).padStart(3, "0")}`,
      discount: { type: "percentage", percent: String(1 + (index % 9)) },
      combinesWith: ["order"],
    }),
  );
  const discountsOf = (deals: readonly DealTerms[]) =>
    calculateDiscounts({ lines, delivery: null, now }, { automatic: deals, coupons: [] });
  const discounts = discountsOf(automatic);
  expect(discounts).toHaveLength(60);
  expect(discountsOf(automatic.toReversed())).toEqual(discounts);
});

describe("linesRejection", () => {
  it.each([
    { what: "too few units", lines: [line("a", 100, 2)], reason: "COUPON_MIN_NOT_MET" },
    { what: "no covered line", lines: [line("b", 100, 3)], reason: "COUPON_INVALID" },
    { what: "enough units", lines: [line("a", 100, 3)], reason: null },
  ])("returns $reason for $what of a deal that needs three", ({ lines, reason }) => {
    const coverage = products("a");
    for (const discount of [buyXGetY(), tiered([3, "10"])]) {
      expect(linesRejection(createTerms({ discount, coverage }), { lines, now })).toBe(reason);
    }
    const delivery = createTerms({ discount: freeDelivery });
    expect(linesRejection(delivery, { lines, now })).toBeNull();
  });
});
