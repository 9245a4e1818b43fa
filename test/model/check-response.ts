import { expect } from "vitest";
import { type ApiResponse, roundTrips } from "../support/world.ts";
import type { Shop } from "./shop-model.ts";

export type ShownCart = Readonly<{
  id: string;
  business_id: string;
  items: readonly ShownLine[];
  item_count: number;
  pricing: Readonly<Record<"subtotal" | "discount_total" | "tax_total" | "total_price", string>> & {
    currency: string;
  };
  coupon: { code: string; deal_id: string } | null;
  updated_at: string;
}>;

export type ShownLine = Readonly<{
  id: string;
  item_id: string;
  name: string;
  variant_id: string | null;
  variant_name: string | null;
  quantity: number;
  add_on_options: readonly string[];
  special_instructions: string | null;
  location_id: string | null;
  billing_plan_id: string | null;
  scheduled_start: string | null;
  scheduled_end: string | null;
  quote_id: string | null;
  bundle_selections: readonly Readonly<Record<string, unknown>>[];
  composite_selections: readonly Readonly<Record<string, unknown>>[];
  unit_price: string;
  line_total: string;
}>;

/**
 * Asserts the rules of the contract for every shown cart, without the model
 * (docs/contract/storefront.md#cart-record).
 */
export function assertCartInvariants(cart: ShownCart, shop: Shop): void {
  assertAmounts(cart, shop);
  const { items, item_count } = cart;
  expect(items.length).toBeLessThanOrEqual(200);
  for (const { quantity } of items) {
    expect(quantity).toBeGreaterThanOrEqual(1);
    expect(quantity).toBeLessThanOrEqual(100);
  }
  expect(item_count).toBe(items.reduce((pieces, { quantity }) => pieces + quantity, 0));
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  expect(new Set(items.map(configurationText)).size).toBe(items.length);
  const places = items.flatMap(({ location_id }) => location_id ?? []);
  expect(new Set(places).size).toBeLessThanOrEqual(1);
}

/** A text that is equal for equal configurations; a cart has no two such lines. */
function configurationText({ item_id, variant_id, special_instructions, ...line }: ShownLine) {
  const { location_id, billing_plan_id, quote_id, scheduled_start } = line;
  const texts = (parts: readonly unknown[]) => parts.map((part) => JSON.stringify(part)).sort();
  const chosen = [line.add_on_options, line.bundle_selections, line.composite_selections];
  return JSON.stringify([
    ...[item_id, variant_id, special_instructions, location_id, billing_plan_id, quote_id],
    scheduled_start,
    ...chosen.map(texts),
  ]);
}

/** Asserts the business, and that the cart was updated now or not at all. */
export function assertUpdatedAt(cart: ShownCart, before: ShownCart): void {
  expect(cart.business_id).toBe(before.business_id);
  expect([before.updated_at, new Date().toISOString()]).toContain(cart.updated_at);
}

/** Asserts that all amounts are non-negative decimals of the currency and add up. */
function assertAmounts({ items, pricing }: ShownCart, { decimals, isTaxInclusive }: Shop): void {
  const { subtotal, discount_total, tax_total, total_price } = pricing;
  const shape = decimals === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${decimals}}$`);
  const ofLines = items.flatMap(({ unit_price, line_total }) => [unit_price, line_total]);
  for (const amount of [subtotal, discount_total, tax_total, total_price, ...ofLines])
    expect(amount).toMatch(shape);
  for (const { unit_price, quantity, line_total } of items)
    expect(minor(line_total)).toBe(minor(unit_price) * BigInt(quantity));
  const lines = items.reduce((total, { line_total }) => total + minor(line_total), 0n);
  expect(minor(subtotal)).toBe(lines);
  const net = minor(subtotal) - minor(discount_total);
  expect(net).toBeGreaterThanOrEqual(0n);
  expect(minor(total_price)).toBe(isTaxInclusive ? net : net + minor(tax_total));
  expect(minor(tax_total)).toBeLessThanOrEqual(net);
}

const minor = (amount: string): bigint => BigInt(amount.replace(".", ""));

/** Asserts the round-trip budget: at most so many to D1, and one to the session's object. */
export function assertRoundTrips(
  answer: ApiResponse,
  { d1, isRefused = false }: RoundTripLimit,
): void {
  const spent = roundTrips(answer);
  expect(spent.d1).toBeLessThanOrEqual(d1);
  if (isRefused) expect(spent.do).toBeLessThanOrEqual(1);
  else expect(spent.do).toBe(1);
}

/** A refused call may not reach the object. */
type RoundTripLimit = Readonly<{ d1: number; isRefused?: boolean }>;
