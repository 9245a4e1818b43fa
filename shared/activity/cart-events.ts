import type { Cart, CartLine } from "../cart/index.ts";
import type { ActivityEvent } from "./event.ts";

/** What a cart write added and removed, line by line (interface.md, Activity signals). */
export function cartEvents(before: Cart, after: Cart): ActivityEvent[] {
  const left = new Map(before.lines.map((line) => [line.id, line]));
  const changed = after.lines.flatMap((line) => {
    const known = left.get(line.id);
    left.delete(line.id);
    return known === line ? [] : eventOf(line, line.quantity - (known?.quantity ?? 0));
  });
  return [...changed, ...[...left.values()].flatMap((line) => eventOf(line, -line.quantity))];
}

function eventOf({ configuration: { productId } }: CartLine, pieces: number): ActivityEvent[] {
  if (pieces === 0) return [];
  const type = pieces > 0 ? "cart_add" : "cart_remove";
  return [{ type, productId, quantity: Math.abs(pieces) }];
}
