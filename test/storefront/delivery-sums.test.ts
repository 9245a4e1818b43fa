import fc from "fast-check";
import { expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { DeliveryPriceRule } from "../../shared/delivery/index.ts";
import { parseMoney } from "../../shared/kernel/index.ts";
import { requireData } from "../bookings/create-booking.ts";
import { createDeal } from "../support/create-deal.ts";
import { createDeliveryMethod, createDeliveryZone } from "../support/create-delivery.ts";
import { createProduct } from "../support/create-product.ts";
import { changeSettings } from "../support/settings.ts";
import { createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

const products = [
  { defaultPriceMinor: 333, weightGrams: 250 },
  { defaultPriceMinor: 1_999, weightGrams: 700 },
  { defaultPriceMinor: 7, weightGrams: 10 },
];

const rules: readonly (DeliveryPriceRule & Readonly<{ freeOverMinor: number | null }>)[] = [
  { type: "flat", amountMinor: 499, freeOverMinor: null },
  { type: "flat", amountMinor: 701, freeOverMinor: 3_000 },
  {
    type: "by_subtotal",
    tiers: [
      { minSubtotalMinor: 500, amountMinor: 333 },
      { minSubtotalMinor: 4_000, amountMinor: 101 },
    ],
    freeOverMinor: null,
  },
  {
    type: "by_weight",
    tiers: [
      { maxGrams: 600, amountMinor: 250 },
      { maxGrams: 2_500, amountMinor: 911 },
    ],
    freeOverMinor: 9_000,
  },
];

/** What a rule costs, by its definition in the contract. */
function expectedPrice(rule: (typeof rules)[number], goodsMinor: number, grams: number) {
  const tiers: readonly number[] =
    rule.type === "flat"
      ? [rule.amountMinor]
      : rule.type === "by_subtotal"
        ? rule.tiers
            .filter(({ minSubtotalMinor }) => goodsMinor >= minSubtotalMinor)
            .map(({ amountMinor }) => amountMinor)
            .slice(-1)
        : rule.tiers
            .filter(({ maxGrams }) => grams <= maxGrams)
            .map(({ amountMinor }) => amountMinor)
            .slice(0, 1);
  const isFree = rule.freeOverMinor !== null && goodsMinor >= rule.freeOverMinor;
  return tiers.map((amountMinor) => (isFree ? 0 : amountMinor))[0] ?? null;
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

type Country = "GH" | "KE";

async function createShop(currency: string, isInclusive: boolean) {
  const shop: CreatedBusiness = await createBusiness({ currency });
  const create = (path: string, body: object) =>
    requireData(merchant(shop)("POST", path, { body }));
  await changeSettings(shop, { tax: { ratePercent: "3", isInclusive } });
  for (const [name, country, rate_percent, applies_to_delivery] of [
    ["VAT", "GH", "15", true],
    ["Levy", "GH", "2.5", false],
    ["VAT", "KE", "16", false],
    ["Levy", "KE", "1.75", true],
  ])
    await create("/tax/rates", { name, country, rate_percent, applies_to_delivery });
  await createDeal(shop, { value: "7" });
  await createDeal(shop, { code: "OFF", discountType: "fixed_amount", value: "3" });
  await createDeal(shop, { code: "SHIP", discountType: "free_delivery", value: null });
  const areas = ["GH", "KE"].map((country) => ({ country, regions: [], postalCodePrefixes: [] }));
  const { id: zoneId } = await createDeliveryZone(shop, { areas });
  const methodIds: string[] = [];
  for (const { freeOverMinor, ...price } of rules)
    methodIds.push((await createDeliveryMethod(shop, { zoneId, price, freeOverMinor })).id);
  const productIds: string[] = [];
  for (const [index, fields] of products.entries())
    productIds.push((await createProduct(shop, { name: `Product ${index}`, ...fields })).id);
  vi.setSystemTime(Date.now() + 5_001); // isolates cache the business for 5 s
  return { shop, methodIds, productIds, isInclusive, currency };
}

type DeliveringShop = Awaited<ReturnType<typeof createShop>>;

type Sale = Readonly<{
  quantities: readonly number[];
  rule: number;
  country: Country;
  coupon: string | null;
}>;

async function expectExactSums({ shop, ...world }: DeliveringShop, sale: Sale): Promise<void> {
  const minor = (text: string) => parseMoney(text, world.currency, "amount");
  const ask = shopper(shop);
  const lines = sale.quantities.flatMap((quantity, index) =>
    quantity > 0 ? [{ quantity, index }] : [],
  );
  for (const { quantity, index } of lines)
    await requireData(
      ask("POST", "/cart/items", { body: { item_id: world.productIds[index], quantity } }),
    );
  if (sale.coupon !== null)
    await requireData(ask("POST", "/cart/coupons", { body: { coupon_code: sale.coupon } }));
  const before = await requireData(ask("GET", "/cart"));
  const chosen = await ask("PUT", "/cart/delivery", {
    body: { option_id: world.methodIds[sale.rule], address: { country: sale.country } },
  });
  const rule = rules[sale.rule] ?? rules[0];
  const goodsMinor = minor(before.pricing.subtotal) - minor(before.pricing.discount_total);
  const grams = sum(
    lines.map(({ quantity, index }) => quantity * (products[index]?.weightGrams ?? 0)),
  );
  const priceMinor = rule ? expectedPrice(rule, goodsMinor, grams) : null;
  expect(chosen.status).toBe(priceMinor === null ? 422 : 200);
  if (priceMinor === null) return;
  const { pricing } = dataOf(chosen);
  const placed = await requireData(
    ask("POST", "/checkout", {
      body: {
        ...{ cart_id: before.id, customer: { phone: "0241234567" }, payment_method: "cash" },
        expected_total: pricing.total_price,
      },
    }),
  );
  const order = await requireData(ask("GET", `/orders/${placed.order_id}`));
  const amount = (field: string) => minor(order[field]);
  const all = (list: readonly Record<string, string>[], field: string) =>
    sum(list.map((entry) => minor(String(entry[field]))));
  expect(amount("delivery_total")).toBe(priceMinor);
  expect(amount("total_price")).toBe(
    amount("subtotal") -
      amount("discount_total") +
      amount("delivery_total") +
      (world.isInclusive ? 0 : amount("tax_total")),
  );
  expect(all(order.discounts, "amount")).toBe(amount("discount_total"));
  const deliveryDiscount = amount("discount_total") - all(order.items, "discount_amount");
  expect(deliveryDiscount).toBe(sale.coupon === "SHIP" ? priceMinor : 0);
  expect(all(order.tax_lines, "amount")).toBe(amount("tax_total"));
  const deliveryTax = amount("tax_total") - all(order.items, "tax_amount");
  const isFree = priceMinor === deliveryDiscount;
  expect(deliveryTax).toBeGreaterThanOrEqual(0);
  if (isFree) expect(deliveryTax).toBe(0);
  expect(order.tax_lines).toEqual(pricing.tax_lines);
}

it.each([
  ["GHS", false],
  ["JPY", true],
  ["KWD", false],
])(
  "the amounts of an order in %s add up exactly, included taxes: %s",
  async (currency, isInclusive) => {
    const world = await createShop(currency, isInclusive);
    const sales = fc.record({
      quantities: fc
        .tuple(...products.map(() => fc.integer({ min: 0, max: 4 })))
        .filter((quantities) => sum(quantities) > 0),
      rule: fc.nat({ max: rules.length - 1 }),
      country: fc.constantFrom<Country>("GH", "KE"),
      coupon: fc.constantFrom(null, null, "SHIP", "OFF"),
    });
    await fc.assert(
      fc.asyncProperty(sales, (sale) => expectExactSums(world, sale)),
      { numRuns: 12 },
    );
  },
);
