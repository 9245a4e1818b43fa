/** Reads of stock, coupon values and quotes (docs/contract/storefront.md#inventory). */
import fc from "fast-check";
import { expect } from "vitest";
import type { ApiResponse } from "../support/world.ts";
import { dataOf } from "../support/world.ts";
import { formatted, sum } from "./arithmetic.ts";
import {
  type Cart,
  couponReasons,
  type Quote,
  reasonsOf,
  type WriteContext,
  withCurrentPrices,
  withDiscounts,
} from "./cart-model.ts";
import { availableAt, availableQuantity } from "./cart-rules.ts";
import { findMatch } from "./cart-writes.ts";
import { assertRoundTrips } from "./check-response.ts";
import { amountOff, dealOf, subtotalOf } from "./discount-model.ts";
import { possibleShops, type Scene, type Shopper, writeContextOf } from "./scene.ts";
import type { Product, Shop } from "./shop-model.ts";
import { itemAt } from "./shop-under-test.ts";
import { createStep, shopperIndex, shopperOf } from "./step.ts";

/** Reads a product's or a variant's stock, and whether a quantity is available. */
const stocks = fc
  .record({
    who: shopperIndex,
    good: fc.constantFrom(0, 1, 4),
    variant: fc.constantFrom(null, 0, 1, 1),
    location: fc.constantFrom(null, null, 0, 1, 2),
    quantity: fc.integer({ min: 1, max: 8 }),
  })
  .map(({ who, quantity, ...chosen }) =>
    createStep(
      `how many are there ${JSON.stringify({ who, quantity, ...chosen })}`,
      async (scene) => {
        const stockQuery = stockQueryOf(scene, chosen);
        if (!stockQuery) return; // the location or the product is archived
        const { ask } = shopperOf(scene, who);
        const { path, location } = stockQuery;
        const at = location === null ? "" : `location_id=${location}`;
        const stock = await ask("GET", `${path}/stock?${at}`);
        const among = location === null ? scene.shop.locations : [location];
        findMatch(
          possibleShops(scene).map((shop) => ({ result: expectedStock(shop, stockQuery) })),
          shownStock(stock, among),
        );
        assertRoundTrips(stock, { d1: 2, isRefused: true });
        // The contract leaves the availability of a product with variant stock open.
        if (stockQuery.item === null && stockQuery.product.stockTracking === "by variant") return;
        const answer = await ask("GET", `${path}/availability?quantity=${quantity}&${at}`);
        const { is_available, quantity_requested, quantity_available } = dataOf(answer);
        findMatch(
          possibleShops(scene).map((shop) => ({
            result: expectedAvailability(shop, { ...stockQuery, quantity }),
          })),
          { is_available, quantity_requested, quantity_available },
        );
        assertRoundTrips(answer, { d1: 2, isRefused: true });
      },
    ),
  );

type StockQuery = Readonly<{
  path: string;
  product: Product;
  /** The tracked item; null for none, and for a product whose variants are tracked. */
  item: string | null;
  location: string | null;
}>;

/** The stock to read; null for an archived product or location. */
function stockQueryOf(
  { shop, world }: Scene,
  chosen: Readonly<{ good: number; variant: number | null; location: number | null }>,
): StockQuery | null {
  const product = itemAt(shop.products, chosen.good);
  const location = chosen.location === null ? null : itemAt(world.shop.locations, chosen.location);
  if (!product.isActive || (location !== null && !shop.locations.includes(location))) return null;
  const variant = chosen.variant === null ? undefined : product.variants[chosen.variant];
  if (variant && product.stockTracking === "by variant")
    return { path: `/inventory/variants/${variant.id}`, product, item: variant.id, location };
  const item = product.stockTracking === "by product" ? product.id : null;
  return { path: `/inventory/products/${product.id}`, product, item, location };
}

function expectedStock(shop: Shop, { product, item, location }: StockQuery) {
  const type = { nowhere: "none", "by product": "tracked", "by variant": "variant_level" } as const;
  const inventory_type = type[product.stockTracking];
  if (item === null)
    return { inventory_type, quantity_on_hand: null, quantity_available: null, locations: [] };
  const among = shop.locations.filter((id) => location === null || id === location);
  const locations = among.flatMap((id) => {
    const level = shop.stock[item]?.[id];
    if (!level) return [];
    const { onHand, reserved } = level;
    const quantity_available = onHand - reserved;
    return [
      {
        location_id: id,
        quantity_on_hand: onHand,
        quantity_reserved: reserved,
        quantity_available,
      },
    ];
  });
  const total = (of: (row: (typeof locations)[number]) => number) =>
    locations.reduce((pieces, row) => pieces + of(row), 0);
  return {
    inventory_type,
    quantity_on_hand: total((row) => row.quantity_on_hand),
    quantity_available: total((row) => row.quantity_available),
    locations: byLocation(locations),
  };
}

const byLocation = <T extends { location_id: string }>(rows: readonly T[]): T[] =>
  rows.toSorted((one, other) => (one.location_id < other.location_id ? -1 : 1));

function shownStock(answer: ApiResponse, among: readonly string[]) {
  const { inventory_type, quantity_on_hand, quantity_available, locations } = dataOf(answer);
  const rows: readonly StockRow[] = locations;
  for (const { location_id } of rows) expect(among).toContain(location_id);
  return {
    inventory_type,
    quantity_on_hand,
    quantity_available,
    locations: byLocation(
      rows.map(({ location_id, quantity_on_hand, quantity_reserved, quantity_available }) => ({
        location_id,
        quantity_on_hand,
        quantity_reserved,
        quantity_available,
      })),
    ),
  };
}

type StockRow = Readonly<
  Record<"quantity_on_hand" | "quantity_reserved" | "quantity_available", number> & {
    location_id: string;
  }
>;

function expectedAvailability(
  shop: Shop,
  { item, location, quantity }: StockQuery & { quantity: number },
) {
  const stockQuery = { quantity_requested: quantity };
  if (item === null) return { is_available: true, ...stockQuery, quantity_available: null };
  const pieces =
    location === null ? availableQuantity(shop, item) : availableAt(shop, item, location);
  return { is_available: pieces >= quantity, ...stockQuery, quantity_available: pieces };
}

const subtotals = fc.constantFrom(0n, 1n, 2_469n, 2_470n, 12_345n, 99_999n);

/** Validates a coupon for the shopper's cart, or for a subtotal when the cart is empty. */
const validations = fc
  .record({ who: shopperIndex, deal: fc.nat(18), subtotal: subtotals })
  .map((chosen) =>
    createStep(
      `what is it worth ${JSON.stringify({ ...chosen, subtotal: Number(chosen.subtotal) })}`,
      async (scene) => {
        const { decimals, deals } = scene.shop;
        const shopper = shopperOf(scene, chosen.who);
        const code = deals[chosen.deal]?.code ?? "UNKNOWN";
        const order_subtotal = formatted(chosen.subtotal, decimals);
        const answer = await shopper.ask("POST", "/catalogue/deals/validate", {
          body: { discount_code: code, order_subtotal },
        });
        expect(answer.status).toBe(200);
        const { is_valid, deal: _, ...value } = dataOf(answer);
        expect(is_valid).toBe(value.reason === null);
        const allowed = possibleShops(scene).flatMap((shop) =>
          shopper.cart.lines.length === 0
            ? couponValuesOf(shop, code, chosen.subtotal)
            : couponValuesIn({ shop, ...writeContextOf(scene, shopper) }, shopper.cart, code),
        );
        const shown = (amount: bigint | null) =>
          amount === null ? null : formatted(amount, decimals);
        findMatch(
          allowed.map(({ reason, amount, rest }) => ({
            result: {
              reason,
              discount_amount: shown(amount),
              final_subtotal: shown(rest),
              requires_cart: amount === null,
            },
          })),
          value,
        );
      },
    ),
  );

/** Null amounts for a deal that depends on the lines. */
type CouponValue = Readonly<{ reason: string | null; amount: bigint | null; rest: bigint | null }>;

/** The reasons why a code is refused, or its amount. */
function couponValuesOf(shop: Shop, code: string, subtotal: bigint): readonly CouponValue[] {
  const deal = dealOf(shop, code);
  const reasons = reasonsOf({ shop, now: Date.now() }, subtotal, code);
  if (reasons.length > 0) return reasons.map((reason) => ({ reason, amount: 0n, rest: subtotal }));
  if (deal?.appliesTo.scope !== "order") return [{ reason: null, amount: null, rest: null }];
  const amount = amountOff(deal, subtotal);
  return [{ reason: null, amount, rest: subtotal - amount }];
}

/** The same for the lines of a cart. */
function couponValuesIn(moment: WriteContext, cart: Cart, code: string): readonly CouponValue[] {
  const current = withCurrentPrices(moment, cart);
  const reasons = couponReasons(moment, current.lines, code);
  const coupon = reasons.length > 0 ? null : code;
  const couponId = dealOf(moment.shop, coupon)?.id;
  return withDiscounts(moment, { ...current, coupon }).flatMap(({ lines, discounts }) => {
    const amount = sum(
      discounts.filter(({ dealId }) => dealId === couponId).map((one) => one.amount),
    );
    const rest = subtotalOf(lines) - sum(discounts.map((one) => one.amount));
    return (reasons.length > 0 ? reasons : [null]).map((reason) => ({ reason, amount, rest }));
  });
}

/** Reads a quote, which is unchanged until it expires. */
const quoteReads = fc.record({ who: shopperIndex, quote: fc.nat(3) }).map((chosen) =>
  createStep(`read quote ${JSON.stringify(chosen)}`, async (scene) => {
    const { quotes, shop } = scene;
    const quote = quotes[chosen.quote % Math.max(quotes.length, 1)];
    if (quote) await readQuote(shopperOf(scene, chosen.who), quote, shop);
  }),
);

async function readQuote({ ask }: Shopper, quote: Quote, { decimals }: Shop): Promise<void> {
  const answer = await ask("GET", `/catalogue/quotes/${quote.id}`);
  if (Date.now() >= quote.expiresAt) return expect(answer.status).toBe(404);
  expect(dataOf(answer)).toMatchObject({
    quote_id: quote.id,
    product_id: quote.configuration.productId,
    unit_price: formatted(quote.unitPrice, decimals),
    quantity: quote.quantity,
    subtotal: formatted(quote.unitPrice * BigInt(quote.quantity), decimals),
    expires_at: new Date(quote.expiresAt).toISOString(),
  });
}

export const lookups = fc.oneof(
  { weight: 3, arbitrary: stocks },
  { weight: 3, arbitrary: validations },
  { weight: 1, arbitrary: quoteReads },
);
