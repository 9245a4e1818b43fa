import { type StockNeeds, stockNeeds } from "../availability/index.ts";
import { availableOf, stockRepo } from "../inventory/index.ts";
import { ruleBroken } from "../kernel/index.ts";
import type { ProductSet } from "../pricing/index.ts";
import type { Cart, CartLine } from "./cart.ts";
import type { CartContext } from "./context.ts";

type Level = Parameters<typeof availableOf>[0] & Readonly<{ itemId: string; locationId: string }>;

/**
 * Refuses (OUT_OF_STOCK) a line that asks for more than it can have, at its location when it names
 * one, of what the rest of the cart leaves; one round trip, and none where nothing is counted. An order
 * of this very cart that was not paid leaves it what it holds. What is reserved at checkout decides:
 * this only spares the shopper the disappointment.
 */
export async function demandStock(
  ctx: CartContext,
  cart: Cart,
  line: CartLine,
  products: ProductSet,
): Promise<void> {
  const perPiece = stockNeeds([{ ...line, quantity: 1 }], products);
  if (perPiece.size === 0) return;
  const levels = await stockRepo(ctx).findLevels([...perPiece.keys()], ctx.replacedOrders?.());
  const others = cart.lines.filter(({ id }) => id !== line.id);
  const mostOf = (own: readonly Level[], taken: StockNeeds) =>
    mostPieces(perPiece, { levels: own, taken });
  const { locationId } = line.configuration;
  const most = Math.min(
    mostOf(levels, stockNeeds(others, products)),
    locationId === null
      ? Number.POSITIVE_INFINITY
      : mostOf(
          levels.filter((level) => level.locationId === locationId),
          tiedNeeds(others, products),
        ),
  );
  if (line.quantity > most) throw outOfStock(line.snapshot.name, Math.max(most, 0));
}

/** How many pieces the levels allow when some of what they hold is taken; below zero when too much is. */
function mostPieces(
  perPiece: StockNeeds,
  { levels, taken }: { levels: readonly Level[]; taken: StockNeeds },
): number {
  const left = new Map([...perPiece.keys()].map((item) => [item, -(taken.get(item) ?? 0)]));
  for (const level of levels) {
    left.set(level.itemId, (left.get(level.itemId) ?? 0) + availableOf(level));
  }
  return Math.min(
    ...[...perPiece].map(([item, pieces]) => Math.floor((left.get(item) ?? 0) / pieces)),
  );
}

/** What the lines that name a location take from there, and from nowhere else. */
export const tiedNeeds = (lines: readonly CartLine[], products: ProductSet): StockNeeds =>
  stockNeeds(
    lines.filter(({ configuration }) => configuration.locationId !== null),
    products,
  );

export const outOfStock = (name: string, quantityAvailable: number) =>
  ruleBroken("OUT_OF_STOCK", `${name} is not available in this quantity.`, {
    quantity_available: quantityAvailable,
  });
