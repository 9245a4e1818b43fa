/** What can be looked up beside the cart: pieces, a coupon's worth, a quote (interface.md, Inventory, Quotes and deals). */
import fc from "fast-check";
import { expect } from "vitest";
import type { Answer } from "../support/world.ts";
import { formatted } from "./arithmetic.ts";
import { type Quote, reasonsOf } from "./cart-model.ts";
import { availableAt, availableOf } from "./cart-rules.ts";
import { at } from "./cart-world.ts";
import { amountOff, dealOf } from "./discount-model.ts";
import { demandRoundTrips } from "./invariants.ts";
import { dataOf, type Scene, type Shopper, seenShops } from "./scene.ts";
import type { Product, Shop } from "./shop-model.ts";
import { shopperOf, step, who } from "./step.ts";
import { fitting } from "./writes.ts";

/** How many pieces a product or one of its variants has, and whether so many can be had. */
const stocks = fc
  .record({
    who,
    good: fc.constantFrom(0, 1, 4),
    variant: fc.constantFrom(null, 0, 1, 1),
    place: fc.constantFrom(null, null, 0, 1, 2),
    quantity: fc.integer({ min: 1, max: 8 }),
  })
  .map(({ who, quantity, ...chosen }) =>
    step(`how many are there ${JSON.stringify({ who, quantity, ...chosen })}`, async (scene) => {
      const asked = askedPieces(scene, chosen);
      if (!asked) return; // nothing is sold there any more
      const { ask } = shopperOf(scene, who);
      const { path, place } = asked;
      const at = place === null ? "" : `location_id=${place}`;
      const stock = await ask("GET", `${path}/stock?${at}`);
      const among = place === null ? scene.shop.locations : [place];
      fitting(
        seenShops(scene).map((shop) => ({ told: stockOf(shop, asked) })),
        toldStock(stock, among),
      );
      demandRoundTrips(stock, { d1: 2, isRefused: true });
      // Whether so many can be had of what is counted by its variants is not said.
      if (asked.item === null && asked.product.counted === "by variant") return;
      const answer = await ask("GET", `${path}/availability?quantity=${quantity}&${at}`);
      const { is_available, quantity_requested, quantity_available } = dataOf(answer);
      fitting(
        seenShops(scene).map((shop) => ({ told: availabilityOf(shop, { ...asked, quantity }) })),
        { is_available, quantity_requested, quantity_available },
      );
      demandRoundTrips(answer, { d1: 2, isRefused: true });
    }),
  );

type Pieces = Readonly<{
  path: string;
  product: Product;
  /** What is counted, null for nothing; a product counted by variants has no pieces itself. */
  item: string | null;
  place: string | null;
}>;

/** What is asked for; null for what is off sale, or nowhere. */
function askedPieces(
  { shop, world }: Scene,
  chosen: Readonly<{ good: number; variant: number | null; place: number | null }>,
): Pieces | null {
  const product = at(shop.products, chosen.good);
  const place = chosen.place === null ? null : at(world.shop.locations, chosen.place);
  if (!product.isActive || (place !== null && !shop.locations.includes(place))) return null;
  const variant = chosen.variant === null ? undefined : product.variants[chosen.variant];
  if (variant && product.counted === "by variant")
    return { path: `/inventory/variants/${variant.id}`, product, item: variant.id, place };
  const item = product.counted === "by product" ? product.id : null;
  return { path: `/inventory/products/${product.id}`, product, item, place };
}

function stockOf(shop: Shop, { product, item, place }: Pieces) {
  const type = { nowhere: "none", "by product": "tracked", "by variant": "variant_level" } as const;
  const inventory_type = type[product.counted];
  if (item === null)
    return { inventory_type, quantity_on_hand: null, quantity_available: null, locations: [] };
  const among = shop.locations.filter((id) => place === null || id === place);
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
    locations: inPlaces(locations),
  };
}

const inPlaces = <T extends { location_id: string }>(rows: readonly T[]): T[] =>
  rows.toSorted((one, other) => (one.location_id < other.location_id ? -1 : 1));

function toldStock(answer: Answer, among: readonly string[]) {
  const { inventory_type, quantity_on_hand, quantity_available, locations } = dataOf(answer);
  const rows: readonly Row[] = locations;
  for (const { location_id } of rows) expect(among).toContain(location_id);
  return {
    inventory_type,
    quantity_on_hand,
    quantity_available,
    locations: inPlaces(
      rows.map(({ location_id, quantity_on_hand, quantity_reserved, quantity_available }) => ({
        location_id,
        quantity_on_hand,
        quantity_reserved,
        quantity_available,
      })),
    ),
  };
}

type Row = Readonly<
  Record<"quantity_on_hand" | "quantity_reserved" | "quantity_available", number> & {
    location_id: string;
  }
>;

function availabilityOf(shop: Shop, { item, place, quantity }: Pieces & { quantity: number }) {
  const asked = { quantity_requested: quantity };
  if (item === null) return { is_available: true, ...asked, quantity_available: null };
  const pieces = place === null ? availableOf(shop, item) : availableAt(shop, item, place);
  return { is_available: pieces >= quantity, ...asked, quantity_available: pieces };
}

const subtotals = fc.constantFrom(0n, 1n, 2_469n, 2_470n, 12_345n, 99_999n);

/** What a code takes off an order of so much; of a deal for some products only whether it may be used. */
const validations = fc.record({ who, deal: fc.nat(18), subtotal: subtotals }).map((chosen) =>
  step(
    `what is it worth ${JSON.stringify({ ...chosen, subtotal: Number(chosen.subtotal) })}`,
    async (scene) => {
      const { decimals, deals } = scene.shop;
      const code = deals[chosen.deal]?.code ?? "UNKNOWN";
      const order_subtotal = formatted(chosen.subtotal, decimals);
      const answer = await shopperOf(scene, chosen.who).ask("POST", "/catalogue/deals/validate", {
        body: { discount_code: code, order_subtotal },
      });
      expect(answer.status).toBe(200);
      const { is_valid, reason, discount_amount, final_subtotal } = dataOf(answer);
      expect(is_valid).toBe(reason === null);
      const allowed = seenShops(scene).flatMap((shop) => worthOf(shop, code, chosen.subtotal));
      const isWhole = allowed.every(({ amount }) => amount !== null);
      fitting(
        allowed.map(({ reason, amount }) => ({
          told: {
            reason,
            ...(isWhole && {
              discount_amount: formatted(amount ?? 0n, decimals),
              final_subtotal: formatted(chosen.subtotal - (amount ?? 0n), decimals),
            }),
          },
        })),
        { reason, ...(isWhole && { discount_amount, final_subtotal }) },
      );
    },
  ),
);

type Worth = Readonly<{ reason: string | null; amount: bigint | null }>;

/** Why a code is refused, or null with what it takes off; no amount for what is for some products. */
function worthOf(shop: Shop, code: string, subtotal: bigint): readonly Worth[] {
  const deal = dealOf(shop, code);
  const reasons = reasonsOf({ shop, now: Date.now() }, subtotal, code);
  if (reasons.length > 0) return reasons.map((reason) => ({ reason, amount: 0n }));
  const isWhole = deal?.appliesTo.scope === "order";
  return [{ reason: null, amount: deal && isWhole ? amountOff(deal, subtotal) : null }];
}

/** A quote is read as it was made, until it has expired. */
const rereads = fc.record({ who, quote: fc.nat(3) }).map((chosen) =>
  step(`read quote ${JSON.stringify(chosen)}`, async (scene) => {
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
  { weight: 1, arbitrary: rereads },
);
