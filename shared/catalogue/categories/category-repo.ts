import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { countInCategory } from "../listing/facet-repo.ts";
import { changedSince, isOneOf } from "../products/product-write-repo.ts";
import { namesakes } from "../products/slug.ts";
import { categories, products } from "../tables.ts";
import type { Category, ListedCategory } from "./category.ts";

/** A category as its merchant sees it, with what a change of it is guarded by. */
export type CategoryRecord = Readonly<{
  category: ListedCategory;
  updatedAt: number;
  isArchived: boolean;
}>;

/** What stands after a category in the order of display. */
export type CategoryCursor = Readonly<{ sortOrder: number; id: string }>;

type CategoryRow = typeof categories.$inferSelect & { productCount: number };

/** A merchant's categories; each read is one round trip. */
export function categoryRepo({ db, business }: Pick<Context, "db" | "business">) {
  const own = eq(categories.businessId, business.id);
  const live = and(own, isNull(categories.archivedAt));
  const productCount = countInCategory(business).as("product_count");

  const query = (condition: SQL | undefined) =>
    db
      .select({
        id: categories.id,
        businessId: categories.businessId,
        name: categories.name,
        slug: categories.slug,
        description: categories.description,
        parentId: categories.parentId,
        imageUrl: categories.imageUrl,
        sortOrder: categories.sortOrder,
        metadata: categories.metadata,
        archivedAt: categories.archivedAt,
        createdAt: categories.createdAt,
        updatedAt: categories.updatedAt,
        productCount,
      })
      .from(categories)
      .where(condition);

  const isLive = (id: string | null | undefined) =>
    db
      .select({ id: categories.id })
      .from(categories)
      .where(and(live, sql`${categories.id} = ${id ?? null}`));

  return {
    async get(id: string): Promise<CategoryRecord> {
      const [row] = await query(and(live, eq(categories.id, id)));
      if (!row) throw notFound("category");
      return recordFrom(row);
    },

    async getEvenArchived(id: string): Promise<CategoryRecord> {
      const [row] = await query(and(own, eq(categories.id, id)));
      if (!row) throw notFound("category");
      return recordFrom(row);
    },

    /** With whether the parent that it is to have is there. */
    async getForUpdate(
      id: string,
      parentId: string | null | undefined,
    ): Promise<{ record: CategoryRecord; hasParent: boolean }> {
      const [[row], parents] = await db.batch([
        query(and(live, eq(categories.id, id))),
        isLive(parentId),
      ]);
      if (!row) throw notFound("category");
      return { record: recordFrom(row), hasParent: parents.length > 0 };
    },

    /** What a new category may meet. */
    async surroundings(
      slug: string,
      parentId: string | null,
    ): Promise<{ takenSlugs: string[]; hasParent: boolean }> {
      const [slugs, parents] = await db.batch([
        db
          .select({ slug: categories.slug })
          .from(categories)
          .where(and(live, isOneOf(categories.slug, namesakes(slug)))),
        isLive(parentId),
      ]);
      return { takenSlugs: slugs.map((row) => row.slug), hasParent: parents.length > 0 };
    },

    /** In the order of display. */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: CategoryCursor | null;
    }): Promise<ListedCategory[]> {
      const behind =
        after === null
          ? undefined
          : sql`(${categories.sortOrder}, ${categories.id}) > (${after.sortOrder}, ${after.id})`;
      const rows = await query(and(live, behind))
        .orderBy(asc(categories.sortOrder), asc(categories.id))
        .limit(limit);
      return rows.map((row) => recordFrom(row).category);
    },

    insert: (category: Category, now: number): Write =>
      db
        .insert(categories)
        .values({ ...category, businessId: business.id, createdAt: now, updatedAt: now }),

    /**
     * Fails on `categories.updated_at` when the row is not as it was read, and on
     * `categories.sort_order` when the parent stands below the category itself: two moves at once
     * cannot close a circle either.
     */
    update(before: CategoryRecord, { id, ...fields }: Category, updatedAt: number): Write {
      const isCycle = sql`with recursive above (id) as (
          select ${fields.parentId}
          union select parent_id from categories join above using (id) where parent_id is not null)
        select 1 from above where id = ${id}`;
      return db
        .update(categories)
        .set({
          ...fields,
          sortOrder: sql`case when not exists (${isCycle}) then ${fields.sortOrder} end`,
          updatedAt: changedSince(categories, before, { updatedAt }),
        })
        .where(and(own, eq(categories.id, id)));
    },

    /** What was in it moves up to its parent: subcategories and products. */
    archive(before: CategoryRecord, updatedAt: number): Write[] {
      const { id, parentId } = before.category;
      return [
        db
          .update(categories)
          .set({
            archivedAt: updatedAt,
            updatedAt: changedSince(categories, before, { updatedAt }),
          })
          .where(and(own, eq(categories.id, id))),
        db
          .update(categories)
          .set({ parentId, updatedAt: sql`max(${updatedAt}, ${categories.updatedAt} + 1)` })
          .where(and(own, eq(categories.parentId, id))),
        db
          .update(products)
          .set({
            categoryId: parentId,
            updatedAt: sql`max(${updatedAt}, ${products.updatedAt} + 1)`,
          })
          .where(and(eq(products.businessId, business.id), eq(products.categoryId, id))),
      ];
    },
  };
}

function recordFrom(row: CategoryRow): CategoryRecord {
  const { businessId: _, archivedAt, createdAt: __, updatedAt, ...category } = row;
  return { category, updatedAt, isArchived: archivedAt !== null };
}
