import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Context, Write } from "../../database/index.ts";
import { billingPlans } from "../plans/tables.ts";
import type { Product, Variant } from "../product.ts";
import { categories, products, productVariants } from "../tables.ts";
import { namesakes } from "./slug.ts";

type Scope = Pick<Context, "db" | "business">;

/**
 * The new time of a change, or null when the row is not as it was read: the column is NOT NULL, so
 * that a change based on an older state fails whole.
 */
export const changedSince = (
  { updatedAt, archivedAt }: { updatedAt: SQLiteColumn; archivedAt: SQLiteColumn },
  before: { updatedAt: number },
  after: { updatedAt: number },
) =>
  sql`case when ${updatedAt} = ${before.updatedAt} and ${archivedAt} is null then ${after.updatedAt} end`;

/** Looked up one by one: a range of slugs, or an OR, would draw the planner to all of the business. */
export const isOneOf = (slug: SQLiteColumn, slugs: readonly string[]): SQL =>
  sql`${slug} in (select value from json_each(${JSON.stringify(slugs)}))`;

/** What a new product has to be asked of the database: one round trip. */
export function newProductQueries(
  { db, business }: Scope,
  { slug, categoryId }: { slug: string; categoryId: string | null },
) {
  return [
    db
      .select({ slug: products.slug })
      .from(products)
      .where(
        and(
          eq(products.businessId, business.id),
          isNull(products.archivedAt),
          isOneOf(products.slug, namesakes(slug)),
        ),
      ),
    db
      .select({ id: categories.id, name: categories.name, slug: categories.slug })
      .from(categories)
      .where(
        and(
          eq(categories.businessId, business.id),
          isNull(categories.archivedAt),
          sql`${categories.id} = ${categoryId}`,
        ),
      ),
  ] as const;
}

/** Statements that write a product; their number does not depend on what it holds. */
export function productWriteRepo({ db, business }: Scope) {
  const ownVariants = (productId: string) =>
    and(
      eq(productVariants.businessId, business.id),
      eq(productVariants.productId, productId),
      isNull(productVariants.archivedAt),
    );

  const writeVariants = (productId: string, variants: readonly Variant[]): Write =>
    db
      .insert(productVariants)
      .select(
        sql`select value ->> '$.id', ${business.id}, ${productId}, key, value ->> '$.name',
          value ->> '$.priceAdjustmentMinor', value ->> '$.isDefault', value ->> '$.isActive', value ->> '$.sku',
          value -> '$.axisValues', value ->> '$.durationMinutes', value ->> '$.bufferMinutes',
          value ->> '$.capacity', null, null
          from json_each(${JSON.stringify(variants)}) where true`,
      )
      .onConflictDoUpdate({
        target: productVariants.id,
        set: {
          position: sql`excluded.position`,
          name: sql`excluded.name`,
          priceAdjustmentMinor: sql`excluded.price_adjustment_minor`,
          isDefault: sql`excluded.is_default`,
          isActive: sql`excluded.is_active`,
          sku: sql`excluded.sku`,
          axisValues: sql`excluded.axis_values`,
          durationMinutes: sql`excluded.duration_minutes`,
          bufferMinutes: sql`excluded.buffer_minutes`,
          capacity: sql`excluded.capacity`,
        },
      });

  /**
   * Null, which the column refuses, when one of them is no plan of the business.
   *
   * @param held those that the product has already: one that was archived since may stay.
   */
  const knownPlans = (ids: readonly string[], held: readonly string[]) =>
    sql`case when not exists (
      select 1 from json_each(${JSON.stringify(ids.filter((id) => !held.includes(id)))}) as wanted
      where not exists (
        select 1 from ${billingPlans} as plan where plan.id = wanted.value
          and +plan.business_id = ${business.id} and plan.archived_at is null))
      then ${JSON.stringify(ids)} end`;

  return {
    insert(product: Product): Write[] {
      const { variants, bundle: _, composite: __, ...columns } = product;
      return [
        db.insert(products).values({
          ...columns,
          businessId: business.id,
          billingPlanIds: knownPlans(product.billingPlanIds, []),
        }),
        writeVariants(product.id, variants),
      ];
    },

    /** Fails on `products.updated_at` when `before` is not the state that the row is in. */
    update(before: Product, after: Product): Write[] {
      const {
        id,
        variants,
        bundle: _,
        composite: __,
        createdAt: ___,
        billingPlanIds,
        ...columns
      } = after;
      return [
        db
          .update(products)
          .set({
            ...columns,
            ...(billingPlanIds !== before.billingPlanIds && {
              billingPlanIds: knownPlans(billingPlanIds, before.billingPlanIds),
            }),
            updatedAt: changedSince(products, before, after),
          })
          .where(and(eq(products.id, id), eq(products.businessId, business.id))),
        ...(variants === before.variants
          ? []
          : this.replaceVariants(id, variants, after.updatedAt)),
      ];
    },

    /** Archives those that left; the default is taken away before it is given, as there is only one. */
    replaceVariants(productId: string, variants: readonly Variant[], now: number): Write[] {
      const staying = sql`(select value ->> '$.id' from json_each(${JSON.stringify(variants)}))`;
      return [
        db
          .update(productVariants)
          .set({
            isDefault: false,
            archivedAt: sql`case when ${productVariants.id} in ${staying} then null else ${now} end`,
          })
          .where(ownVariants(productId)),
        writeVariants(productId, variants),
      ];
    },

    archive(before: Product, after: Product): Write {
      return db
        .update(products)
        .set({
          isActive: false,
          archivedAt: after.updatedAt,
          updatedAt: changedSince(products, before, after),
        })
        .where(and(eq(products.id, after.id), eq(products.businessId, business.id)));
    },
  };
}
