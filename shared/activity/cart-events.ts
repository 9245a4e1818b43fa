import { type Cart, type CartLine, differing } from "../cart/index.ts";
import type { ActivityEvent } from "./event.ts";

/** What a cart write added and removed, line by line (interface.md, Activity signals). */
export function cartEvents(was: Cart, is: Cart): ActivityEvent[] {
  const { before, after } = differing(was, is);
  const left = new Map(before.map((line) => [line.id, line]));
  const changed = after.flatMap((line) => {
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
