import {
  type Bundle,
  type BundleComponent,
  discountOf,
  type Product,
  type Variant,
} from "../catalogue/index.ts";
import { notFound } from "../kernel/index.ts";
import type { AskedSelection, Selection } from "./configuration.ts";
import { type PricePart, sumOf } from "./price-part.ts";
import {
  defaultVariant,
  type ProductSet,
  purchasable,
  selectedVariant,
  selectionInvalid,
} from "./product-set.ts";

/** What is bought for one component: `standard` is what the bundle holds when nothing is swapped. */
type Piece = Readonly<{
  component: BundleComponent;
  product: Product;
  standard: Variant | null;
  chosen: Variant | null;
}>;

/**
 * The price of a bundle, in parts (completions.md 4 and 5). A fixed price changes only by what
 * swapped variants cost more or less; the others take their discount off the components' prices.
 *
 * @throws Refusal NOT_FOUND for an unknown component, product or variant; SELECTION_INVALID.
 */
export function bundleParts(
  bundle: Bundle,
  products: ProductSet,
  selections: readonly Selection[],
): readonly PricePart[] {
  const pieces = piecesOf(bundle, products, selections);
  if (bundle.pricing.type === "fixed") {
    const { name, defaultPriceMinor } = purchasable(products, bundle.productId);
    return [{ name, amountMinor: defaultPriceMinor }, ...pieces.filter(isSwapped).map(swapPart)];
  }
  const parts = pieces.map(fullPart);
  const off = discountOf(bundle.pricing, sumOf(parts));
  return off > 0 ? [...parts, { name: "bundle discount", amountMinor: -off }] : parts;
}

/** The selections with the quantities that the bundle holds; of what is no component of it, one piece. */
export const settledSelections = (
  bundle: Bundle | null | undefined,
  asked: readonly AskedSelection[],
): readonly Selection[] =>
  asked.map((selection) => {
    const component = bundle?.components.find(
      ({ componentId }) => componentId === selection.componentId,
    );
    return { ...selection, quantity: selection.quantity ?? component?.quantity ?? 1 };
  });

function piecesOf(
  bundle: Bundle,
  products: ProductSet,
  selections: readonly Selection[],
): readonly Piece[] {
  const byComponent = new Map(selections.map((selection) => [selection.componentId, selection]));
  const known = new Set(bundle.components.map(({ componentId }) => componentId));
  if (selections.some(({ componentId }) => !known.has(componentId))) throw notFound("component");
  if (byComponent.size < selections.length) throw selectionInvalid("A component is chosen twice.");
  return bundle.components.map((component) =>
    pieceOf(component, products, byComponent.get(component.componentId)),
  );
}

function pieceOf(
  component: BundleComponent,
  products: ProductSet,
  selection: Selection | undefined,
): Piece {
  const { name, quantity, isSwappable, defaultVariantId } = component;
  if (selection && selection.quantity !== quantity) {
    throw selectionInvalid(`The bundle holds ${quantity} of ${name}, no other quantity.`);
  }
  const product = purchasable(products, component.productId);
  // An inactive standard variant cannot be bought, but still is what a swap is measured against.
  const standard =
    product.variants.find(({ id }) => id === defaultVariantId) ?? defaultVariant(product);
  const variantId = selection?.variantId ?? defaultVariantId;
  const chosen = variantId === null ? standard : selectedVariant(products, product, variantId);
  const piece = { component, product, standard, chosen };
  if (isSwapped(piece) && !isSwappable) throw selectionInvalid(`${name} cannot be swapped.`);
  return piece;
}

const isSwapped = ({ standard, chosen }: Piece): boolean => standard?.id !== chosen?.id;

const adjustmentOf = (variant: Variant | null): number => variant?.priceAdjustmentMinor ?? 0;

const pieceName = ({ component, chosen }: Piece): string =>
  `${component.quantity} × ${component.name}${chosen ? ` (${chosen.name})` : ""}`;

const swapPart = (piece: Piece): PricePart => ({
  name: `swapped: ${pieceName(piece)}`,
  amountMinor:
    piece.component.quantity * (adjustmentOf(piece.chosen) - adjustmentOf(piece.standard)),
});

const fullPart = (piece: Piece): PricePart => ({
  name: pieceName(piece),
  amountMinor:
    piece.component.quantity * (piece.product.defaultPriceMinor + adjustmentOf(piece.chosen)),
});
