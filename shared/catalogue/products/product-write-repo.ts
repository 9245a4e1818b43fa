import { and, eq, sql } from "drizzle-orm";
import { type Context, updatedAtUnlessChanged, type Write } from "../../database/index.ts";
import { billingPlans } from "../plans/tables.ts";
import type { Product } from "../product.ts";
import { products } from "../tables.ts";
import { replaceVariants, upsertVariants } from "./variant-write-repo.ts";

type WriteContext = Pick<Context, "db" | "business">;

/** The statements that write one product of a business. */
export function productWriteRepo(ctx: WriteContext) {
  const { db, business } = ctx;

  return {
    insert(product: Product): Write[] {
      const { variants, bundle: _, composite: __, ...columns } = product;
      return [
        db.insert(products).values({
          ...columns,
          businessId: business.id,
          billingPlanIds: planIdsIfKnown(ctx, product.billingPlanIds, []),
        }),
        ...upsertVariants(ctx, variants, { hasImportedColumns: false }),
      ];
    },

    /** Fails on `products.updated_at` when the row has changed since `before` was read. */
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
              billingPlanIds: planIdsIfKnown(ctx, billingPlanIds, before.billingPlanIds),
            }),
            updatedAt: updatedAtUnlessChanged(products, before, after),
          })
          .where(and(eq(products.id, id), eq(products.businessId, business.id))),
        ...(variants === before.variants
          ? []
          : replaceVariants(ctx, {
              productIds: [id],
              variants,
              now: after.updatedAt,
              hasImportedColumns: false,
            })),
      ];
    },

    archive(before: Product, after: Product): Write {
      return db
        .update(products)
        .set({
          isActive: false,
          archivedAt: after.updatedAt,
          updatedAt: updatedAtUnlessChanged(products, before, after),
        })
        .where(and(eq(products.id, after.id), eq(products.businessId, business.id)));
    },
  };
}

/**
 * The plan ids; null when one of them is not an active plan of the business. The column is NOT
 * NULL, so null makes the write fail. Plans that the product already has may be archived.
 */
const planIdsIfKnown = (
  { business }: WriteContext,
  ids: readonly string[],
  previousIds: readonly string[],
) =>
  sql`case when not exists (
    select 1 from json_each(${JSON.stringify(ids.filter((id) => !previousIds.includes(id)))}) as wanted
    where not exists (
      select 1 from ${billingPlans} as plan where plan.id = wanted.value
        and +plan.business_id = ${business.id} and plan.archived_at is null))
    then ${JSON.stringify(ids)} end`;
