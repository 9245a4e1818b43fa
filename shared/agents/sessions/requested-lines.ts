import { stockNeeds } from "../../availability/index.ts";
import { defaultLocation } from "../../businesses/index.ts";
import {
  type Cart,
  type CartContext,
  type CartLine,
  lineSnapshot,
  maxLineQuantity,
} from "../../cart/index.ts";
import { isOffered } from "../../catalogue/index.ts";
import { availableQuantity, findStockLevels } from "../../inventory/index.ts";
import { findRefusal } from "../../kernel/index.ts";
import type { LineConfiguration, ProductSet } from "../../pricing/index.ts";
import type { AgentProblem, RequestedLine } from "../agent-session.ts";
import { itemUnavailable, outOfStock, quantityAdjusted } from "./problems.ts";
import { itemIdOf } from "./requested-items.ts";

/** The lines that can be bought in band, and a problem for each of the others. */
export type RequestedLines = Readonly<{
  lines: readonly CartLine[];
  problems: readonly AgentProblem[];
}>;

/** A line before its product is read, for reads that need only its configuration. */
export const unpricedLine = (configuration: LineConfiguration): CartLine => ({
  id: "",
  configuration,
  quantity: 1,
  snapshot: {
    name: "",
    variantId: configuration.variantId,
    variantName: null,
    unitPriceMinor: 0,
    parts: [],
    lock: null,
  },
});

/** Prices the requested items. A line that was in the cart keeps its id. */
export function priceRequestedLines(
  ctx: Pick<CartContext, "business" | "now" | "newId">,
  cart: Cart,
  requested: readonly Readonly<{ line: RequestedLine; configuration: LineConfiguration | null }>[],
  products: ProductSet,
): RequestedLines {
  const lines: CartLine[] = [];
  const problems: AgentProblem[] = [];
  const usedIds = new Set<string>();
  for (const { line, configuration } of requested) {
    const priced = configuration && priceConfiguration(ctx, configuration, products);
    if (!priced) {
      problems.push(itemUnavailable(line.itemId));
      continue;
    }
    const id = existingLineId(cart, { line, priced, usedIds }) ?? ctx.newId("ci");
    usedIds.add(id);
    if (line.quantity > maxLineQuantity) problems.push(quantityAdjusted(id, maxLineQuantity));
    const quantity = Math.min(line.quantity, maxLineQuantity);
    lines.push({ ...priced, id, quantity, holdExpiresAt: null });
  }
  return { lines, problems };
}

type PricedConfiguration = Pick<CartLine, "configuration" | "snapshot">;

/** Null for what cannot be bought without choices that the protocol does not carry. */
function priceConfiguration(
  { business, now }: Pick<CartContext, "business" | "now">,
  configuration: LineConfiguration,
  products: ProductSet,
): PricedConfiguration | null {
  const product = products.get(configuration.productId);
  if (!product || product.productType === "service") return null;
  const place = { locationId: defaultLocation(business).id, now: now() };
  if (!isOffered(product.schedules, place)) return null;
  try {
    const snapshot = lineSnapshot(products, configuration, { lock: null, now: now() });
    return { configuration: { ...configuration, variantId: snapshot.variantId }, snapshot };
  } catch (error) {
    if (findRefusal(error) === null) throw error;
    return null;
  }
}

type LineMatch = Readonly<{
  line: RequestedLine;
  priced: PricedConfiguration;
  usedIds: ReadonlySet<string>;
}>;

/** The id of the cart's line with the same item: the one that was named, or else the first. */
function existingLineId(cart: Cart, { line, priced, usedIds }: LineMatch): string | null {
  const isSame = (other: CartLine) =>
    !usedIds.has(other.id) &&
    itemIdOf(other) === itemIdOf(priced) &&
    other.configuration.productId === priced.configuration.productId;
  const same = cart.lines.filter(isSame);
  return (same.find(({ id }) => id === line.lineId) ?? same[0])?.id ?? null;
}

/**
 * A problem for each line whose quantity exceeds the stock that the lines before it leave. Reads
 * the stock of all lines in one round trip; only the reservation at checkout is binding.
 */
export async function findShortages(
  ctx: CartContext,
  lines: readonly CartLine[],
  products: ProductSet,
): Promise<readonly AgentProblem[]> {
  const needs = stockNeeds(lines, products);
  if (needs.size === 0) return [];
  const available = new Map([...needs.keys()].map((item) => [item, 0]));
  for (const level of await findStockLevels(ctx, [...needs.keys()], ctx.replacedOrderIds?.())) {
    const before = available.get(level.itemId) ?? 0;
    available.set(level.itemId, before + Math.max(availableQuantity(level), 0));
  }
  return lines.flatMap((line) => {
    const perUnit = [...stockNeeds([{ ...line, quantity: 1 }], products)];
    const units = Math.min(
      line.quantity,
      ...perUnit.map(([item, quantity]) => Math.floor((available.get(item) ?? 0) / quantity)),
    );
    for (const [item, quantity] of perUnit) {
      available.set(item, (available.get(item) ?? 0) - units * quantity);
    }
    return units < line.quantity ? [outOfStock(line, units)] : [];
  });
}
