import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { standardTaxClass } from "../../shared/catalogue/index.ts";
import {
  type AvailableDeals,
  calculateDiscounts,
  type DealTerms,
  type Discount,
  discountAmount,
  linesRejection,
  type PricedLine,
} from "../../shared/pricing/index.ts";
import { createTerms } from "./create-terms.ts";

const now = 1_000;

const deal = createTerms;

const line = (amountMinor: number, productId = "a", groupIds: readonly string[] = []) => ({
  productId,
  groupIds,
  taxClass: standardTaxClass,
  unitPriceMinor: amountMinor,
  quantity: 1,
});

const discountsOn = (lines: readonly PricedLine[], deals: AvailableDeals) =>
  calculateDiscounts({ lines, delivery: null, now }, deals);

const totalDiscount = (discounts: readonly Discount[]) =>
  discounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

describe("a deal", () => {
  it.each([
    { eligible: 25, percent: "10", off: 2 },
    { eligible: 35, percent: "10", off: 4 },
    { eligible: 45, percent: "10", off: 4 },
    { eligible: 1, percent: "50", off: 0 },
    { eligible: 3, percent: "50", off: 2 },
  ])("of $percent % deducts $off from $eligible, half to even", ({ eligible, percent, off }) => {
    expect(
      discountAmount(
        { discount: { type: "percentage", percent }, maxDiscountMinor: null },
        eligible,
      ),
    ).toBe(off);
  });

  it.each([
    { at: 999, reason: "COUPON_NOT_STARTED" },
    { at: 1_000, reason: null },
    { at: 1_999, reason: null },
    { at: 2_000, reason: "COUPON_EXPIRED" },
  ])("active from 1000 to 2000 returns $reason at $at", ({ at, reason }) => {
    const timed = deal({ startsAt: 1_000, endsAt: 2_000 });
    expect(linesRejection(timed, { lines: [line(100)], now: at })).toBe(reason);
  });

  it.each([
    { what: "no deal", terms: null, reason: "COUPON_INVALID" },
    { what: "an inactive deal", terms: deal({ isActive: false }), reason: "COUPON_INVALID" },
    {
      what: "a deal for other products",
      terms: deal({ coverage: { type: "products", ids: new Set(["b"]) } }),
      reason: "COUPON_INVALID",
    },
    {
      what: "a deal with a higher minimum",
      terms: deal({ minOrderSubtotalMinor: 101 }),
      reason: "COUPON_MIN_NOT_MET",
    },
    {
      what: "a deal with exactly this minimum",
      terms: deal({ minOrderSubtotalMinor: 100 }),
      reason: null,
    },
    {
      what: "an exhausted deal",
      terms: deal({ usageLimit: 2, timesRedeemed: 2 }),
      reason: "COUPON_EXHAUSTED",
    },
    {
      what: "a deal with one use left",
      terms: deal({ usageLimit: 2, timesRedeemed: 1 }),
      reason: null,
    },
  ])("returns $reason for $what", ({ terms, reason }) => {
    expect(linesRejection(terms, { lines: [line(100)], now })).toBe(reason);
  });

  it("prefers the older of equal deals", () => {
    const automatic = [deal({ id: "deal_2" }), deal({ id: "deal_1" }), deal({ id: "deal_3" })];
    const [best] = discountsOn([line(100)], { automatic, coupons: [] });
    expect(best).toMatchObject({ dealId: "deal_1" });
  });

  it("applies to covered lines, and the coupon to the remainder", () => {
    const lines = [line(1_000, "a", ["z", "x"]), line(2_000, "b", ["y"]), line(3_000, "a")];
    const automatic = [deal({ coverage: { type: "products", ids: new Set(["a"]) } })];
    const coupon = deal({
      id: "deal_2",
      code: "HALF",
      discount: { type: "percentage", percent: "50" },
      coverage: { type: "groups", ids: new Set(["x", "y"]) },
    });
    expect(discountsOn(lines, { automatic, coupons: [coupon] })).toMatchObject([
      { dealId: "deal_1", amountMinor: 400, shares: [100, 0, 300] },
      { dealId: "deal_2", code: "HALF", amountMinor: 1_450, shares: [450, 1_000, 0] },
    ]);
  });
});

const lines = fc.array(
  fc.record({
    productId: fc.constantFrom("a", "b", "c"),
    groupIds: fc.subarray(["x", "y", "z"]),
    taxClass: fc.constant(standardTaxClass),
    quantity: fc.constant(1),
    unitPriceMinor: fc.oneof(
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 0, max: 10 ** 9 }),
    ),
  }),
  { maxLength: 6 },
);

const someOf = (...ids: string[]) => fc.subarray(ids).map((some) => new Set(some));

const terms = fc
  .record({
    tenThousandths: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
    amountMinor: fc.integer({ min: 1, max: 1_000 }),
    maxDiscountMinor: fc.option(fc.integer({ min: 0, max: 1_000 })),
    minOrderSubtotalMinor: fc.option(fc.integer({ min: 0, max: 1_000 })),
    coverage: fc.oneof(
      fc.constant({ type: "order" as const }),
      fc.record({
        type: fc.constant("products" as const),
        ids: someOf("a", "b", "c"),
      }),
      fc.record({ type: fc.constant("groups" as const), ids: someOf("x", "y") }),
    ),
    isActive: fc.boolean(),
  })
  .map(({ tenThousandths, amountMinor, ...fields }) =>
    deal({
      ...fields,
      discount:
        tenThousandths === null
          ? { type: "fixed_amount", amountMinor }
          : { type: "percentage", percent: decimal(tenThousandths) },
    }),
  );

const decimal = (tenThousandths: number) =>
  `${Math.floor(tenThousandths / 10_000)}.${String(tenThousandths % 10_000).padStart(4, "0")}`;

/** The same calculation in exact integers. */
function model(
  { discount, maxDiscountMinor, minOrderSubtotalMinor, coverage, isActive }: DealTerms,
  {
    eachLeft,
    subtotal,
  }: { eachLeft: readonly (PricedLine & { left: bigint })[]; subtotal: bigint },
): bigint {
  if (!isActive || subtotal < BigInt(minOrderSubtotalMinor ?? 0)) return 0n;
  const eligible = eachLeft
    .filter(
      ({ productId, groupIds }) =>
        coverage.type === "order" ||
        [...coverage.ids].some((id) =>
          coverage.type === "products" ? id === productId : groupIds.indexOf(id) >= 0,
        ),
    )
    .reduce((sum, { left }) => sum + left, 0n);
  let off = 0n;
  if (discount.type === "fixed_amount") off = BigInt(discount.amountMinor);
  else if (discount.type === "percentage") {
    const numerator = eligible * BigInt(discount.percent.replace(".", ""));
    const twice = 2n * (numerator % 1_000_000n);
    off = numerator / 1_000_000n;
    if (twice > 1_000_000n || (twice === 1_000_000n && off % 2n === 1n)) off += 1n;
  }
  if (maxDiscountMinor !== null && off > BigInt(maxDiscountMinor)) off = BigInt(maxDiscountMinor);
  return off > eligible ? eligible : off;
}

describe("calculateDiscounts", () => {
  it("returns the best automatic deal, then the coupon on the remainder", () => {
    fc.assert(
      fc.property(
        lines,
        fc.array(terms, { maxLength: 4 }),
        fc.option(terms),
        (cart, all, coupon) => {
          const automatic = all.map((one, index) => ({ ...one, id: `deal_${index}` }));
          const coded = coupon && { ...coupon, id: "deal_c", code: "C" };
          const discounts = discountsOn(cart, { automatic, coupons: coded ? [coded] : [] });

          const subtotal = cart.reduce((sum, one) => sum + BigInt(one.unitPriceMinor), 0n);
          const whole = cart.map((one) => ({ ...one, left: BigInt(one.unitPriceMinor) }));
          const best = automatic
            .map((one) => model(one, { eachLeft: whole, subtotal }))
            .sort((a, b) => (a < b ? 1 : -1))[0];
          const own = discounts.find(({ code }) => code === null);
          expect(BigInt(own?.amountMinor ?? 0)).toBe(best ?? 0n);

          const eachLeft = whole.map((one, index) => ({
            ...one,
            left: one.left - BigInt(own?.shares[index] ?? 0),
          }));
          const onTop = coded ? model(coded, { eachLeft, subtotal }) : 0n;
          expect(BigInt(discounts.find(({ code }) => code === "C")?.amountMinor ?? 0)).toBe(onTop);
        },
      ),
      { seed: 7, numRuns: 2_000 },
    );
  });

  it("adds up to shares that never exceed a line's price", () => {
    fc.assert(
      fc.property(lines, terms, terms, (cart, automatic, coupon) => {
        const offer = { automatic: [automatic], coupons: [{ ...coupon, id: "deal_c", code: "C" }] };
        const discounts = discountsOn(cart, offer);
        for (const { amountMinor, shares } of discounts) {
          expect(amountMinor).toBeGreaterThan(0);
          expect(shares.reduce((sum, share) => sum + share, 0)).toBe(amountMinor);
        }
        cart.forEach(({ unitPriceMinor }, index) => {
          const taken = discounts.reduce((sum, { shares }) => sum + (shares[index] ?? 0), 0);
          expect(taken).toBeLessThanOrEqual(unitPriceMinor);
        });
        const subtotal = cart.reduce((sum, { unitPriceMinor }) => sum + unitPriceMinor, 0);
        expect(totalDiscount(discounts)).toBeLessThanOrEqual(subtotal);
      }),
      { seed: 8, numRuns: 2_000 },
    );
  });
});
