/**
 * What a shop sells and for how much, as interface.md and completions.md 5 describe it and nothing
 * of how it is built. Amounts are bigints of minor units.
 */
import { sum } from "./arithmetic.ts";
import type { Booking, Service } from "./times.ts";

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

/** A price at a location: the product's, or that of one of its variants. */
type LocalPrice = Readonly<{ locationId: string; variantId: string | null; price: bigint }>;

export type Plan = Readonly<{
  id: string;
  price: bigint;
  minQuantity: number;
  minOrderValue: bigint;
  isArchived: boolean;
}>;

export type Product = Readonly<{
  id: string;
  name: string;
  price: bigint;
  localPrices: readonly LocalPrice[];
  plans: readonly Plan[];
  isActive: boolean;
  categoryId: string | null;
  tags: readonly string[];
  /** The collections that it is in, by name or by rule. */
  collectionIds: readonly string[];
  counted: "nowhere" | "by product" | "by variant";
  variants: readonly Variant[];
  groups: readonly OptionGroup[];
  bundle: readonly BundleComponent[];
  composite: Composite | null;
  /** Null for what is not booked for a time. */
  service: Service | null;
}>;

/** In no category and no collection. */
export const nowhere = { categoryId: null, tags: [], collectionIds: [] };

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
  locationId: string | null;
  planId: string | null;
  /** When the slot of a service begins (epoch milliseconds); null without one. */
  start: number | null;
}>;

/** What a deal is for: all of an order, or lines of these products, of what is in these categories or collections. */
type Scope = Readonly<{
  scope: "order" | "product" | "category" | "collection";
  ids: readonly string[];
}>;

export type Deal = Readonly<{
  id: string;
  /** Null: it applies by itself. */
  code: string | null;
  isActive: boolean;
  isArchived: boolean;
  /** From when and until when (epoch milliseconds); null for always. */
  startsAt: number | null;
  endsAt: number | null;
  type: "percentage" | "fixed_amount";
  /** Hundredths of a percent, or minor units. */
  value: bigint;
  minimum: bigint;
  maximum: bigint | null;
  appliesTo: Scope;
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
  /** Whether what is off sale still belongs to its category and collections: that is not said. */
  isGoneCovered: boolean;
  deals: readonly Deal[];
  /** Those that stand; the first is the default. */
  locations: readonly string[];
  /** Pieces by the product's or the variant's id and by location; what is missing was never there. */
  stock: Readonly<Record<string, Stock>>;
  bookings: readonly Booking[];
}>;

export type Stock = Readonly<Record<string, Level>>;
export type Level = Readonly<{ onHand: number; reserved: number }>;

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
  const { locationId } = configuration;
  const isNowhere = locationId !== null && !shop.locations.includes(locationId);
  return [...faultIf(isNowhere, "NOT_FOUND"), ...faultsAnywhere(shop, configuration)];
}

/** Why it has no price any more, wherever it is bought. */
export function faultsAnywhere(shop: Shop, configuration: Configuration): readonly Fault[] {
  const product = productOf(shop, configuration.productId);
  if (!product?.isActive) return ["NOT_FOUND"];
  const { variantId, planId } = configuration;
  const isUnknown =
    (variantId !== null && !variantOf(product, variantId)) ||
    (planId !== null && !planOf(product, planId));
  return [
    ...faultIf(isUnknown, "NOT_FOUND"),
    ...optionFaults(product, configuration),
    ...bundleFaults(shop, product, configuration),
    ...compositeFaults(shop, product, configuration),
  ];
}

/** A plan of the product that stands. */
export const planOf = (
  { plans }: Pick<Product, "plans">,
  planId: string | null,
): Plan | undefined => plans.find(({ id, isArchived }) => id === planId && !isArchived);

/** The price of one piece of what can be bought: the plan's, or what its parts cost together. */
export function unitPriceOf(shop: Shop, configuration: Configuration): bigint {
  const { productId, variantId, optionIds, selections, locationId } = configuration;
  const product = productOf(shop, productId);
  if (!product) throw new Error(`The model knows no product ${productId}.`);
  const plan = planOf(product, configuration.planId);
  if (plan) return plan.price;
  const options = product.groups.flatMap((group) => group.options);
  const parts = [
    priceAt(product, variantOf(product, variantId), locationId),
    ...optionIds.map((id) => options.find((option) => option.id === id)?.price ?? 0n),
    ...product.bundle.map((component) => swapOf(shop, component, configuration)),
    ...selections.map(({ componentId, quantity }) => {
      const chosen = product.composite?.components.find(({ id }) => id === componentId);
      return (chosen?.price ?? 0n) * BigInt(quantity);
    }),
  ];
  const price = sum(parts);
  return price < 0n ? 0n : price;
}

/** What a product, or a variant of it, costs before anything is added: the location's price stands first. */
function priceAt(
  { price, localPrices }: Product,
  variant: Variant | undefined,
  locationId: string | null,
): bigint {
  const here = localPrices.filter((one) => one.locationId === locationId);
  const own = variant && here.find(({ variantId }) => variantId === variant.id);
  if (own) return own.price;
  const ofAll = here.find(({ variantId }) => variantId === null);
  return (ofAll?.price ?? price) + (variant?.adjustment ?? 0n);
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
function swapOf(
  shop: Shop,
  component: BundleComponent,
  { selections, locationId }: Configuration,
): bigint {
  const product = productOf(shop, component.productId);
  const chosen = selections.find(({ componentId }) => componentId === component.id);
  if (!product) return 0n;
  const cost = (variantId: string | null) =>
    priceAt(product, variantOf(product, variantId), locationId);
  return BigInt(component.quantity) * (cost(chosen?.variantId ?? null) - cost(null));
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
