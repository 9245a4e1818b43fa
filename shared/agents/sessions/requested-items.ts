import type { Cart, CartContext, CartLine } from "../../cart/index.ts";
import { findProductsOfVariants } from "../../catalogue/index.ts";
import { createLruCache } from "../../kernel/index.ts";
import type { LineConfiguration } from "../../pricing/index.ts";
import type { RequestedLine } from "../agent-session.ts";

/** A variant never changes its product, so that the entries stay valid. */
const productsOfVariants = createLruCache<string>(50_000, () => 1);

/** The id by which the protocol names what a line sells: its variant, or else its product. */
export const itemIdOf = ({ configuration }: Pick<CartLine, "configuration">): string =>
  configuration.variantId ?? configuration.productId;

/** What is requested, with the sum of repeated items; the first line of an item names it. */
export function mergeRepeatedItems(lines: readonly RequestedLine[]): readonly RequestedLine[] {
  const merged = new Map<string, RequestedLine>();
  for (const line of lines) {
    const first = merged.get(line.itemId);
    merged.set(line.itemId, first ? { ...first, quantity: first.quantity + line.quantity } : line);
  }
  return [...merged.values()];
}

/**
 * The configurations of items; null for an item that does not exist. Takes a round trip only for
 * variants that neither the cart nor this isolate knows.
 */
export async function findConfigurations(
  ctx: CartContext,
  cart: Cart,
  lines: readonly RequestedLine[],
): Promise<ReadonlyMap<string, LineConfiguration | null>> {
  const key = (itemId: string) => `${ctx.business.id} ${itemId}`;
  for (const { configuration } of cart.lines) {
    const { variantId, productId } = configuration;
    if (variantId !== null) productsOfVariants.put(key(variantId), productId);
  }
  const variantIds = lines.map(({ itemId }) => itemId).filter(isVariantId);
  const unknown = variantIds.filter((id) => productsOfVariants.get(key(id)) === undefined);
  if (unknown.length > 0) {
    for (const [id, productId] of await findProductsOfVariants(ctx, unknown)) {
      productsOfVariants.put(key(id), productId);
    }
  }
  return new Map(
    lines.map(({ itemId }) => [
      itemId,
      toConfiguration(itemId, productsOfVariants.get(key(itemId))),
    ]),
  );
}

const isVariantId = (itemId: string): boolean => itemId.startsWith("var_");

function toConfiguration(itemId: string, variantProduct?: string): LineConfiguration | null {
  const isVariant = isVariantId(itemId);
  const productId = isVariant ? variantProduct : itemId;
  if (productId === undefined) return null;
  return {
    productId,
    variantId: isVariant ? itemId : null,
    addOnOptionIds: [],
    bundleSelections: [],
    compositeSelections: [],
    specialInstructions: null,
    locationId: null,
    billingPlanId: null,
  };
}
