import { and, sql } from "drizzle-orm";
import { type Context, isRowOfBusiness, type Write } from "../../database/index.ts";
import { products } from "../tables.ts";

export type ProductStatusRow = Readonly<
  Pick<
    typeof products.$inferSelect,
    "id" | "name" | "slug" | "isActive" | "updatedAt" | "archivedAt"
  >
>;

type StatusChange = Readonly<{ id: string; previousUpdatedAt: number; updatedAt: number }>;

/** Reads and writes the statuses of several products of a business. */
export const productStatusRepo = ({ db, business }: Pick<Context, "db" | "business">) => ({
  /** The products of the business among those with these ids, archived ones too. */
  listByIds: (ids: readonly string[]): Promise<readonly ProductStatusRow[]> =>
    db
      .select({
        id: products.id,
        name: products.name,
        slug: products.slug,
        isActive: products.isActive,
        updatedAt: products.updatedAt,
        archivedAt: products.archivedAt,
      })
      .from(products)
      .where(
        and(
          sql`${products.id} in (select value from json_each(${JSON.stringify(ids)}))`,
          isRowOfBusiness(products.businessId, business),
        ),
      ),

  /** Fails on `products.updated_at` when one of the rows has changed since it was read. */
  update: (
    changes: readonly StatusChange[],
    { isActive, isArchived }: Readonly<{ isActive: boolean; isArchived: boolean }>,
  ): Write =>
    db
      .update(products)
      .set({
        isActive,
        ...(isArchived && { archivedAt: sql`change.value ->> 'updatedAt'` }),
        updatedAt: sql`case when ${products.updatedAt} = change.value ->> 'previousUpdatedAt'
          and ${products.archivedAt} is null then change.value ->> 'updatedAt' end`,
      })
      .from(sql`json_each(${JSON.stringify(changes)}) as change`)
      .where(
        and(
          sql`${products.id} = change.value ->> 'id'`,
          isRowOfBusiness(products.businessId, business),
        ),
      ),
});
