import {
  type AuditedChange,
  type Change,
  type Context,
  nextUpdatedAt,
  type Write,
} from "../../database/index.ts";
import { conflict, invalid, utf8Bytes } from "../../kernel/index.ts";
import { raiseCatalogueVersion } from "../catalogue-version-repo.ts";
import type { CategoryName } from "../categories/category.ts";
import { refreshBundlePrices } from "../definitions/bundle-price-repo.ts";
import type { Product } from "../product.ts";
import { applyProductPatch, buildProduct } from "./build-product.ts";
import type { NewProduct, ProductPatch } from "./product-draft.ts";
import type { NewProductRows, ProductRecord } from "./product-record-repo.ts";
import { productWriteRepo } from "./product-write-repo.ts";

/**
 * A product's next state, and the writes that store it and raise the catalogue version. Bundles,
 * composites and services add their own writes to the same commit.
 */
export type ProductPlan = Readonly<{
  before: Product | null;
  record: ProductRecord;
  change: Pick<Change, "writes" | "refusals">;
}>;

/**
 * Plans a new product; `rows` are the results of `newProductQueries`.
 *
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function planNewProduct(
  ctx: Context,
  input: NewProduct,
  [slugRows, categoryRows]: NewProductRows,
): ProductPlan {
  const category = categoryRows[0] ?? null;
  assertCategoryExists(input.categoryId, category);
  const product = buildProduct(input, {
    id: ctx.newId("prod"),
    now: ctx.now(),
    newId: ctx.newId,
    takenSlugs: slugRows.map(({ slug }) => slug),
  });
  return {
    before: null,
    record: { product, category, isArchived: false },
    change: productChange(ctx, productWriteRepo(ctx).insert(product), {
      isSlugGenerated: input.slug === null,
    }),
  };
}

/**
 * Plans an update of a product.
 *
 * @param newCategory the active category that the patch names; null when there is none.
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function planProductUpdate(
  ctx: Context,
  { product: before, category }: ProductRecord,
  { patch, newCategory }: { patch: ProductPatch; newCategory: CategoryName | null },
): ProductPlan {
  assertCategoryExists(patch.categoryId ?? null, newCategory);
  const product = applyProductPatch(before, patch, { now: ctx.now(), newId: ctx.newId });
  return {
    before,
    record: {
      product,
      category: patch.categoryId === undefined ? category : newCategory,
      isArchived: false,
    },
    change: productChange(ctx, [
      ...productWriteRepo(ctx).update(before, product),
      refreshBundlePrices(ctx, [product.id]),
    ]),
  };
}

/** Plans the permanent archiving of a product. Orders with the product do not change. */
export function planProductArchive(ctx: Context, record: ProductRecord): ProductPlan {
  const { product: before } = record;
  const updatedAt = nextUpdatedAt(ctx.now(), before);
  const product = { ...before, isActive: false, updatedAt };
  return {
    before,
    record: { ...record, product, isArchived: true },
    change: productChange(ctx, [productWriteRepo(ctx).archive(before, product)]),
  };
}

/**
 * In bytes of JSON as a text in JSON. The audit entry has the product before and after its change, and
 * moving a business to another shard sends that row as JSON of at most 2 MB.
 */
const maxProductBytes = 900_000;

/** The fields of requests that can make a product large. */
const largeFields = {
  description: "description",
  properties: "properties",
  images: "images",
  variantAxes: "variant_axes",
  variants: "variants",
  addOns: "add_ons",
  priceOverrides: "price_overrides",
  bundle: "components",
  composite: "groups",
} as const satisfies Partial<Record<keyof Product, string>>;

/** @throws Refusal VALIDATION_ERROR naming the largest field. */
function assertProductFits(product: Product): void {
  const bytes = utf8Bytes(JSON.stringify(JSON.stringify(product)));
  if (bytes <= maxProductBytes) return;
  const fields = keysOf(largeFields)
    .map((key) => ({ name: largeFields[key], length: JSON.stringify(product[key]).length }))
    .toSorted((a, b) => b.length - a.length);
  throw invalid(
    fields[0]?.name ?? "name",
    `makes the product ${bytes} bytes of JSON; at most ${maxProductBytes} are allowed. Send fewer entries or shorter texts.`,
  );
}

const keysOf = <K extends string>(fields: Readonly<Record<K, unknown>>): K[] =>
  Object.keys(fields) as K[]; // safe: the object has no other keys

/**
 * The audit entry of a plan. `extra` holds fields that belong to the record but not to the product.
 *
 * @throws Refusal VALIDATION_ERROR for a product that is too large.
 */
export const productAuditEntry = (
  action: string,
  entity: string,
  { before, record }: ProductPlan,
  extra: Readonly<{ before?: object; after?: object }> = {},
): AuditedChange => {
  if (!record.isArchived) assertProductFits(record.product);
  return {
    action,
    entity,
    before: before && { ...before, ...extra.before },
    after: record.isArchived ? null : { ...record.product, ...extra.after },
  };
};

/** The writes of products with a new catalogue version, and the refusals of their constraints. */
export function productChange(
  ctx: Context,
  writes: readonly Write[],
  { isSlugGenerated = false } = {},
): ProductPlan["change"] {
  const staleConflict = () =>
    conflict("The product changed meanwhile; try again.", { retryable: true });
  return {
    writes: [...writes, raiseCatalogueVersion(ctx)],
    refusals: {
      "products.slug": () =>
        conflict("Another product has this slug.", { retryable: isSlugGenerated }),
      "products.billing_plan_ids": () =>
        invalid("billing_plan_ids", "must name billing plans of the business"),
      products_tax_class: () => invalid("tax_class", "no such tax class"),
      "products.updated_at": staleConflict,
      "product_variants.product_id": staleConflict,
    },
  };
}

function assertCategoryExists(id: string | null, category: CategoryName | null): void {
  if (id !== null && category?.id !== id) throw invalid("category_id", "no such category");
}
