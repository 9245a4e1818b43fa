/**
 * What a shop sells and for how much, as interface.md and completions.md 5 describe it and nothing
 * of how it is built. Amounts are bigints of minor units.
 */
import { sum } from "./arithmetic.ts";

type Variant = Readonly<{ id: string; name: string; adjustment: bigint; isDefault: boolean }>;

type OptionGroup = Readonly<{
  isRequired: boolean;
  isSingle: boolean;
  options: readonly Readonly<{ id: string; price: bigint }>[];
}>;

export type BundleComponent = Readonly<{
  id: string;
  productId: string;
  quantity: number;
  isSwappable: boolean;
}>;

export type Composite = Readonly<{
  minimum: number;
  maximum: number;
  components: readonly Readonly<{ id: string; price: bigint; productId: string | null }>[];
}>;

export type Product = Readonly<{
  id: string;
  name: string;
  price: bigint;
  isActive: boolean;
  counted: "nowhere" | "by product" | "by variant";
  variants: readonly Variant[];
  groups: readonly OptionGroup[];
  bundle: readonly BundleComponent[];
  composite: Composite | null;
}>;

/** What a caller chooses of a bundle's or a composite's components. */
export type Selection = Readonly<{
  componentId: string;
  quantity: number;
  variantId: string | null;
}>;

export type Configuration = Readonly<{
  productId: string;
  variantId: string | null;
  optionIds: readonly string[];
  selections: readonly Selection[];
  note: string | null;
}>;

export type Deal = Readonly<{
  id: string;
  code: string;
  isActive: boolean;
  isExpired: boolean;
  type: "percentage" | "fixed_amount";
  /** Hundredths of a percent, or minor units. */
  value: bigint;
  minimum: bigint;
  maximum: bigint | null;
  productId: string | null;
  limit: number | null;
  limitOfCustomer: number | null;
  /** Whose orders have it. */
  usedBy: readonly string[];
}>;

export type Shop = Readonly<{
  currency: string;
  decimals: number;
  /** Hundredths of a percent. */
  taxRate: bigint;
  isTaxInclusive: boolean;
  products: readonly Product[];
  deals: readonly Deal[];
  /** Pieces by the product's or the variant's id; what is missing was never there. */
  stock: Readonly<Record<string, Stock>>;
}>;

export type Stock = Readonly<{ onHand: number; reserved: number }>;

export type Fault = "NOT_FOUND" | "SELECTION_INVALID";

export const productOf = (
  { products }: Pick<Shop, "products">,
  productId: string | null,
): Product | undefined => products.find(({ id }) => id === productId);

/** The variant that stands for a choice; none of a product without, or of an unknown id. */
export const variantOf = (
  product: Product | undefined,
  variantId: string | null,
): Variant | undefined =>
  product?.variants.find(({ id, isDefault }) =>
    variantId === null ? isDefault : id === variantId,
  );

/** Why a configuration cannot be bought; each is a reason by itself. */
export function faultsOf(shop: Shop, configuration: Configuration): readonly Fault[] {
  const product = productOf(shop, configuration.productId);
  if (!product?.isActive) return ["NOT_FOUND"];
  const { variantId } = configuration;
  const isVariantUnknown = variantId !== null && !variantOf(product, variantId);
  return [
    ...(isVariantUnknown ? ["NOT_FOUND" as const] : []),
    ...optionFaults(product, configuration),
    ...bundleFaults(shop, product, configuration),
    ...compositeFaults(shop, product, configuration),
  ];
}

/** The price of one piece of what can be bought. */
export function unitPriceOf(shop: Shop, configuration: Configuration): bigint {
  const { productId, variantId, optionIds, selections } = configuration;
  const product = productOf(shop, productId);
  if (!product) throw new Error(`The model knows no product ${productId}.`);
  const options = product.groups.flatMap((group) => group.options);
  const parts = [
    product.price,
    variantOf(product, variantId)?.adjustment ?? 0n,
    ...optionIds.map((id) => options.find((option) => option.id === id)?.price ?? 0n),
    ...product.bundle.map((component) => swapOf(shop, component, selections)),
    ...selections.map(({ componentId, quantity }) => {
      const chosen = product.composite?.components.find(({ id }) => id === componentId);
      return (chosen?.price ?? 0n) * BigInt(quantity);
    }),
  ];
  const price = sum(parts);
  return price < 0n ? 0n : price;
}

/** The pieces that so many of a configuration take from stock, by what is counted. */
export function needsOf(
  shop: Shop,
  { configuration, quantity }: Readonly<{ configuration: Configuration; quantity: number }>,
): ReadonlyMap<string, number> {
  const needs = new Map<string, number>();
  for (const piece of piecesOf(shop, configuration)) {
    const item = countedAs(productOf(shop, piece.productId), piece.variantId);
    if (item !== null) needs.set(item, (needs.get(item) ?? 0) + piece.quantity * quantity);
  }
  return needs;
}

function optionFaults({ groups }: Product, { optionIds }: Configuration): Fault[] {
  const offered = groups.flatMap((group) => group.options.map(({ id }) => id));
  const isUnknown = optionIds.some((id) => !offered.includes(id));
  const isBroken = groups.some(({ isRequired, isSingle, options }) => {
    const chosen = options.filter(({ id }) => optionIds.includes(id)).length;
    return (isRequired && chosen === 0) || (isSingle && chosen > 1);
  });
  return [...faultIf(isUnknown, "NOT_FOUND"), ...faultIf(isBroken, "SELECTION_INVALID")];
}

function bundleFaults(shop: Shop, { bundle }: Product, { selections }: Configuration): Fault[] {
  if (bundle.length === 0) return [];
  const isUnknown = selections.some((one) => !bundle.some(({ id }) => id === one.componentId));
  const isGone = bundle.some(({ productId }) => !productOf(shop, productId)?.isActive);
  const isBroken = bundle.some(({ id, quantity, productId, isSwappable }) => {
    const chosen = selections.find(({ componentId }) => componentId === id);
    if (!chosen) return false;
    const standard = variantOf(productOf(shop, productId), null)?.id;
    const isSwapped = chosen.variantId !== null && chosen.variantId !== standard;
    return chosen.quantity !== quantity || (isSwapped && !isSwappable);
  });
  return [...faultIf(isUnknown || isGone, "NOT_FOUND"), ...faultIf(isBroken, "SELECTION_INVALID")];
}

function compositeFaults(
  shop: Shop,
  { composite }: Product,
  { selections }: Configuration,
): Fault[] {
  if (!composite) return [];
  const { components, minimum, maximum } = composite;
  const isMissing = selections.some(({ componentId }) => {
    const component = components.find(({ id }) => id === componentId);
    if (!component) return true;
    return component.productId !== null && !productOf(shop, component.productId)?.isActive;
  });
  const pieces = selections.reduce((total, { quantity }) => total + quantity, 0);
  const isBroken = pieces < minimum || pieces > maximum;
  return [...faultIf(isMissing, "NOT_FOUND"), ...faultIf(isBroken, "SELECTION_INVALID")];
}

const faultIf = (isSo: boolean, fault: Fault): Fault[] => (isSo ? [fault] : []);

/** What a swapped component costs more, or less, than what the bundle holds. */
function swapOf(shop: Shop, component: BundleComponent, selections: readonly Selection[]): bigint {
  const product = productOf(shop, component.productId);
  const chosen = selections.find(({ componentId }) => componentId === component.id);
  const taken = variantOf(product, chosen?.variantId ?? null)?.adjustment ?? 0n;
  const standard = variantOf(product, null)?.adjustment ?? 0n;
  return BigInt(component.quantity) * (taken - standard);
}

function piecesOf(shop: Shop, { productId, variantId, selections }: Configuration) {
  const product = productOf(shop, productId);
  const held = (product?.bundle ?? []).map((component) => {
    const chosen = selections.find(({ componentId }) => componentId === component.id);
    const { productId, quantity } = component;
    return { productId, quantity, variantId: chosen?.variantId ?? null };
  });
  const chosen = selections.flatMap(({ componentId, quantity, variantId }) => {
    const component = product?.composite?.components.find(({ id }) => id === componentId);
    const productId = component?.productId ?? null;
    return productId === null ? [] : [{ productId, quantity, variantId }];
  });
  return [{ productId, variantId, quantity: 1 }, ...held, ...chosen];
}

function countedAs(product: Product | undefined, variantId: string | null): string | null {
  if (product?.counted === "by product") return product.id;
  if (product?.counted === "by variant") return variantOf(product, variantId)?.id ?? null;
  return null;
}
