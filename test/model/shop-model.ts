/**
 * A model of the catalogue and its prices, from the contract alone
 * (docs/contract/storefront.md#prices). Amounts are bigints of minor units.
 */
import { sum } from "./arithmetic.ts";
import type { Booking, Service } from "./slot-model.ts";

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

/** The price of a product or a variant at a location. */
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
  /** Its collections, by name or by rule. */
  collectionIds: readonly string[];
  stockTracking: "nowhere" | "by product" | "by variant";
  variants: readonly Variant[];
  groups: readonly OptionGroup[];
  bundle: readonly BundleComponent[];
  composite: Composite | null;
  /** Null for products without slots. */
  service: Service | null;
}>;

/** A product in no category and no collection. */
export const ungrouped = { categoryId: null, tags: [], collectionIds: [] };

/** A selected component of a bundle or composite. */
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
  /** The start of a service's slot (epoch milliseconds); null without one. */
  start: number | null;
}>;

/** The scope of a deal: the whole order, or lines of these products, categories or collections. */
type DealScope = Readonly<{
  scope: "order" | "product" | "category" | "collection";
  ids: readonly string[];
}>;

export type Deal = Readonly<{
  id: string;
  /** Null for an automatic deal. */
  code: string | null;
  isActive: boolean;
  isArchived: boolean;
  /** Start and end (epoch milliseconds); null for no limit. */
  startsAt: number | null;
  endsAt: number | null;
  type: "percentage" | "fixed_amount";
  /** Hundredths of a percent, or minor units. */
  value: bigint;
  minimum: bigint;
  maximum: bigint | null;
  appliesTo: DealScope;
  limit: number | null;
  limitOfCustomer: number | null;
  /** The customers of the orders that used it. */
  usedBy: readonly string[];
}>;

export type Shop = Readonly<{
  currency: string;
  decimals: number;
  /** Hundredths of a percent. */
  taxRate: bigint;
  isTaxInclusive: boolean;
  products: readonly Product[];
  /** Whether deals on a group still cover a product off sale; the contract leaves it open. */
  isGoneCovered: boolean;
  deals: readonly Deal[];
  /** The active locations; the first is the default. */
  locations: readonly string[];
  /** Stock by product or variant id and by location; missing levels never existed. */
  stock: Readonly<Record<string, Stock>>;
  bookings: readonly Booking[];
}>;

export type Stock = Readonly<Record<string, Level>>;
export type Level = Readonly<{ onHand: number; reserved: number }>;

export type ConfigurationFault = "NOT_FOUND" | "SELECTION_INVALID";

export const productOf = (
  { products }: Pick<Shop, "products">,
  productId: string | null,
): Product | undefined => products.find(({ id }) => id === productId);

/** The chosen variant, or the default; undefined for an unknown id. */
export const variantOf = (
  product: Product | undefined,
  variantId: string | null,
): Variant | undefined =>
  product?.variants.find(({ id, isDefault }) =>
    variantId === null ? isDefault : id === variantId,
  );

/** The reasons why a configuration cannot be bought, each sufficient. */
export function faultsOf(shop: Shop, configuration: Configuration): readonly ConfigurationFault[] {
  const { locationId } = configuration;
  const isNowhere = locationId !== null && !shop.locations.includes(locationId);
  return [...faultIf(isNowhere, "NOT_FOUND"), ...faultsIgnoringLocation(shop, configuration)];
}

/** The reasons that do not depend on the location. */
export function faultsIgnoringLocation(
  shop: Shop,
  configuration: Configuration,
): readonly ConfigurationFault[] {
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

/** A plan of the product that is not archived. */
export const planOf = (
  { plans }: Pick<Product, "plans">,
  planId: string | null,
): Plan | undefined => plans.find(({ id, isArchived }) => id === planId && !isArchived);

/** The unit price: the plan's, or the sum of the parts. */
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
    ...product.bundle.map((component) => swapPriceOf(shop, component, configuration)),
    ...selections.map(({ componentId, quantity }) => {
      const chosen = product.composite?.components.find(({ id }) => id === componentId);
      return (chosen?.price ?? 0n) * BigInt(quantity);
    }),
  ];
  const price = sum(parts);
  return price < 0n ? 0n : price;
}

/** The price without options: a location price takes precedence. */
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

/** The stock that a quantity of a configuration needs, by stock item. */
export function stockNeeds(
  shop: Shop,
  { configuration, quantity }: Readonly<{ configuration: Configuration; quantity: number }>,
): ReadonlyMap<string, number> {
  const needs = new Map<string, number>();
  for (const piece of stockItemsOf(shop, configuration)) {
    const item = stockItemId(productOf(shop, piece.productId), piece.variantId);
    if (item !== null) needs.set(item, (needs.get(item) ?? 0) + piece.quantity * quantity);
  }
  return needs;
}

function optionFaults({ groups }: Product, { optionIds }: Configuration): ConfigurationFault[] {
  const offered = groups.flatMap((group) => group.options.map(({ id }) => id));
  const isUnknown = optionIds.some((id) => !offered.includes(id));
  const isBroken = groups.some(({ isRequired, isSingle, options }) => {
    const chosen = options.filter(({ id }) => optionIds.includes(id)).length;
    return (isRequired && chosen === 0) || (isSingle && chosen > 1);
  });
  return [...faultIf(isUnknown, "NOT_FOUND"), ...faultIf(isBroken, "SELECTION_INVALID")];
}

function bundleFaults(
  shop: Shop,
  { bundle }: Product,
  { selections }: Configuration,
): ConfigurationFault[] {
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
): ConfigurationFault[] {
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

const faultIf = (isSo: boolean, fault: ConfigurationFault): ConfigurationFault[] =>
  isSo ? [fault] : [];

/** The price difference between a swapped component and the default. */
function swapPriceOf(
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

function stockItemsOf(shop: Shop, { productId, variantId, selections }: Configuration) {
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

function stockItemId(product: Product | undefined, variantId: string | null): string | null {
  if (product?.stockTracking === "by product") return product.id;
  if (product?.stockTracking === "by variant") return variantOf(product, variantId)?.id ?? null;
  return null;
}
