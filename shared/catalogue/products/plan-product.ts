import type { AuditedChange, Change, Context, Write } from "../../database/index.ts";
import { conflict, invalid, nextUpdate } from "../../kernel/index.ts";
import { refreshBundlePrices } from "../definitions/bundle-price-repo.ts";
import type { Product } from "../product.ts";
import { raiseVersion } from "../product-repo.ts";
import type { NewProduct, ProductPatch } from "./product-draft.ts";
import type { CategoryName, ProductRecord } from "./product-record-repo.ts";
import { productWriteRepo } from "./product-write-repo.ts";
import { patchedProduct, productFrom } from "./write-product.ts";

/**
 * A product as it is going to be, and the statements that make it so, the catalogue's next version
 * among them. Bundles, composites and services add their own to the same commit.
 */
export type ProductPlan = Readonly<{
  before: Product | null;
  record: ProductRecord;
  change: Pick<Change, "writes" | "refusals">;
}>;

/** What `newProductQueries` answered. */
export type Surroundings = readonly [
  readonly Readonly<{ slug: string }>[],
  readonly CategoryName[],
];

/**
 * A product that comes into the catalogue. @throws Refusal VALIDATION_ERROR for an unknown
 * category.
 */
export function planInsert(
  ctx: Context,
  input: NewProduct,
  [slugs, names]: Surroundings,
): ProductPlan {
  const category = names[0] ?? null;
  demandCategory(input.categoryId, category);
  const product = productFrom(input, {
    id: ctx.newId("prod"),
    now: ctx.now(),
    newId: ctx.newId,
    takenSlugs: slugs.map(({ slug }) => slug),
  });
  return {
    before: null,
    record: { product, category, isArchived: false },
    change: changeOf(ctx, productWriteRepo(ctx).insert(product), {
      isSlugGiven: input.slug !== null,
    }),
  };
}

/** @param found the category that the patch names, if it names one and it is there. */
export function planUpdate(
  ctx: Context,
  { product: before, category: current }: ProductRecord,
  { patch, found }: { patch: ProductPatch; found: CategoryName | null },
): ProductPlan {
  demandCategory(patch.categoryId ?? null, found);
  const product = patchedProduct(before, patch, { now: ctx.now(), newId: ctx.newId });
  return {
    before,
    record: {
      product,
      category: patch.categoryId === undefined ? current : found,
      isArchived: false,
    },
    change: changeOf(ctx, [
      ...productWriteRepo(ctx).update(before, product),
      refreshBundlePrices(ctx, [product.id]),
    ]),
  };
}

/** A product that leaves the catalogue for good; orders keep their lines. */
export function planArchive(ctx: Context, record: ProductRecord): ProductPlan {
  const { product: before } = record;
  const updatedAt = nextUpdate(ctx.now(), before);
  const product = { ...before, isActive: false, updatedAt };
  return {
    before,
    record: { ...record, product, isArchived: true },
    change: changeOf(ctx, [productWriteRepo(ctx).archive(before, product)]),
  };
}

/** The audit entry of a plan; `also` holds what the record has beyond the product. */
export const audited = (
  action: string,
  entity: string,
  { before, record }: ProductPlan,
  also: Readonly<{ before?: object; after?: object }> = {},
): AuditedChange => ({
  action,
  entity,
  before: before && { ...before, ...also.before },
  after: record.isArchived ? null : { ...record.product, ...also.after },
});

function changeOf(
  ctx: Context,
  writes: readonly Write[],
  { isSlugGiven = true } = {},
): ProductPlan["change"] {
  const meanwhile = () =>
    conflict("The product changed meanwhile; try again.", { retryable: true });
  return {
    writes: [...writes, raiseVersion(ctx)],
    refusals: {
      "products.slug": () =>
        conflict("Another product has this slug.", { retryable: !isSlugGiven }),
      "products.billing_plan_ids": () => invalid("billing_plan_ids", "holds what is no plan"),
      "products.updated_at": meanwhile,
      "product_variants.product_id": meanwhile,
    },
  };
}

function demandCategory(wanted: string | null, found: CategoryName | null): void {
  if (wanted !== null && found?.id !== wanted) throw invalid("category_id", "no such category");
}
