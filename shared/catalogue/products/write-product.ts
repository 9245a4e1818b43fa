import { invalid, type NewId, nextUpdate, omitUndefined } from "../../kernel/index.ts";
import type { Product, ProductType } from "../product.ts";
import { addOnsFrom } from "./add-on-list.ts";
import { demandHeldLocations } from "./held-locations.ts";
import { priceOverridesFrom, pricesOfStaying } from "./price-override-list.ts";
import type { NewProduct, ProductPatch } from "./product-draft.ts";
import { schedulesFrom } from "./schedule-list.ts";
import { freeSlug, slugFrom } from "./slug.ts";
import { demandAxisValues, demandDistinctAxes, variantsFrom } from "./variant-list.ts";

type Making = Readonly<{ id: string; now: number; newId: NewId; takenSlugs: readonly string[] }>;

/** The slug that a new product is to have, before others are asked. */
export const wantedSlug = ({ slug, name }: Pick<NewProduct, "slug" | "name">): string =>
  slug ?? slugFrom(name, "product");

/** A product as written by a merchant, its rules kept (completions.md 4). */
export function productFrom(input: NewProduct, { id, now, newId, takenSlugs }: Making): Product {
  const { variants, addOns, schedules, slug, variantAxes, ...fields } = input;
  demandDistinctAxes(variantAxes);
  return checked({
    ...fields,
    // Its variants have no ids yet by which they could be priced.
    priceOverrides: priceOverridesFrom(fields.priceOverrides, []),
    id,
    slug: slug ?? freeSlug(wantedSlug(input), takenSlugs, id),
    tags: [...new Set(fields.tags)],
    variantAxes,
    variants: variantsFrom(variants, { productId: id, axes: variantAxes, previous: [] }, newId),
    addOns: addOnsFrom(addOns, [], newId),
    schedules: schedulesFrom(schedules, [], newId),
    bundle: null,
    composite: null,
    createdAt: now,
    updatedAt: now,
  });
}

/** The product with a merchant's changes; lists are replaced, and their entries keep their ids. */
export function patchedProduct(
  product: Product,
  {
    variants: drafts,
    addOns,
    slug,
    tags,
    priceOverrides,
    schedules,
    archivedLocationIds = [],
    ...fields
  }: ProductPatch,
  { now, newId }: Pick<Making, "now" | "newId">,
): Product {
  const axes = fields.variantAxes ?? product.variantAxes;
  demandDistinctAxes(axes);
  demandSameKind(product.productType, fields.productType ?? product.productType);
  const { id: productId, variants: previous } = product;
  const variants = drafts ? variantsFrom(drafts, { productId, axes, previous }, newId) : previous;
  const after: Product = {
    ...product,
    ...omitUndefined(fields),
    slug: slug ?? product.slug,
    tags: tags ? [...new Set(tags)] : product.tags,
    variants,
    priceOverrides: priceOverrides
      ? priceOverridesFrom(priceOverrides, variants)
      : pricesOfStaying(product.priceOverrides, variants),
    addOns: addOns ? addOnsFrom(addOns, product.addOns, newId) : product.addOns,
    schedules: schedules ? schedulesFrom(schedules, product.schedules, newId) : product.schedules,
    updatedAt: nextUpdate(now, product),
  };
  demandHeldLocations(product, after, archivedLocationIds);
  if (!drafts && fields.variantAxes) demandAxisValues(after.variants, axes);
  return checked(after);
}

function checked(product: Product): Product {
  if (product.defaultPriceMinor < 0) throw invalid("default_price", "must not be negative");
  return product;
}

const plain: readonly ProductType[] = ["product", "digital"];

/** What a service, bundle or composite is made of lives elsewhere: it cannot turn into another kind. */
function demandSameKind(before: ProductType, after: ProductType): void {
  if (before === after || (plain.includes(before) && plain.includes(after))) return;
  throw invalid("product_type", `cannot change from ${before} to ${after}`);
}
