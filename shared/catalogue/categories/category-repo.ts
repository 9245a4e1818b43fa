import { and, asc, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import { type Context, updatedAtUnlessChanged, type Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { isSlugCandidate } from "../slug-query.ts";
import { categories, products } from "../tables.ts";
import type { Category, ListedCategory } from "./category.ts";
import { categoryCount } from "./category-tree-query.ts";

/** A category as the merchant sees it. `updatedAt` is used to detect concurrent changes. */
export type CategoryRecord = Readonly<{
  category: ListedCategory;
  updatedAt: number;
  isArchived: boolean;
}>;

/** The sort values of the last category on the previous page. */
export type CategoryCursor = Readonly<{ sortOrder: number; id: string }>;

type CategoryRow = typeof categories.$inferSelect & { productCount: number };
type CategoryContext = Pick<Context, "db" | "business">;

/** Reads a merchant's categories; each read is one round trip. */
export function categoryRepo({ db, business }: CategoryContext) {
  const isOwned = eq(categories.businessId, business.id);
  const isLive = and(isOwned, isNull(categories.archivedAt));
  const productCount = categoryCount(business).as("product_count");

  const selectCategories = (condition: SQL | undefined) =>
    db
      .select({ ...getTableColumns(categories), productCount })
      .from(categories)
      .where(condition);

  const selectLiveId = (id: string | null | undefined) =>
    db
      .select({ id: categories.id })
      .from(categories)
      .where(and(isLive, sql`${categories.id} = ${id ?? null}`));

  return {
    async get(id: string): Promise<CategoryRecord> {
      return requireRecord(await selectCategories(and(isLive, eq(categories.id, id))));
    },

    async getEvenArchived(id: string): Promise<CategoryRecord> {
      return requireRecord(await selectCategories(and(isOwned, eq(categories.id, id))));
    },

    /** Reads a category for an update, and whether its new parent exists. */
    async getForUpdate(
      id: string,
      parentId: string | null | undefined,
    ): Promise<{ record: CategoryRecord; parentExists: boolean }> {
      const [rows, parents] = await db.batch([
        selectCategories(and(isLive, eq(categories.id, id))),
        selectLiveId(parentId),
      ]);
      return { record: requireRecord(rows), parentExists: parents.length > 0 };
    },

    /** Reads the taken slugs and whether the parent exists, to check a new category. */
    async findForInsert(
      slug: string,
      parentId: string | null,
    ): Promise<{ takenSlugs: string[]; parentExists: boolean }> {
      const [slugs, parents] = await db.batch([
        db
          .select({ slug: categories.slug })
          .from(categories)
          .where(and(isLive, isSlugCandidate(categories.slug, slug))),
        selectLiveId(parentId),
      ]);
      return { takenSlugs: slugs.map((row) => row.slug), parentExists: parents.length > 0 };
    },

    /** Lists a page of categories in display order. */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: CategoryCursor | null;
    }): Promise<ListedCategory[]> {
      const isAfter =
        after === null
          ? undefined
          : sql`(${categories.sortOrder}, ${categories.id}) > (${after.sortOrder}, ${after.id})`;
      const rows = await selectCategories(and(isLive, isAfter))
        .orderBy(asc(categories.sortOrder), asc(categories.id))
        .limit(limit);
      return rows.map((row) => toRecord(row).category);
    },
  };
}

/** The statements that write a merchant's categories. */
export function categoryWriteRepo({ db, business }: CategoryContext) {
  const isOwned = eq(categories.businessId, business.id);

  return {
    insert: (category: Category, now: number): Write =>
      db
        .insert(categories)
        .values({ ...category, businessId: business.id, createdAt: now, updatedAt: now }),

    /**
     * Fails on `categories.updated_at` when the row has changed since it was read, and on
     * `categories.sort_order` when the new parent is below the category. The statement checks this
     * itself, so concurrent moves cannot create a cycle.
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
          updatedAt: updatedAtUnlessChanged(categories, before, { updatedAt }),
        })
        .where(and(isOwned, eq(categories.id, id)));
    },

    /** Archives a category, and moves its subcategories and products to its parent. */
    archive(before: CategoryRecord, updatedAt: number): Write[] {
      const { id, parentId } = before.category;
      return [
        db
          .update(categories)
          .set({
            archivedAt: updatedAt,
            updatedAt: updatedAtUnlessChanged(categories, before, { updatedAt }),
          })
          .where(and(isOwned, eq(categories.id, id))),
        db
          .update(categories)
          .set({ parentId, updatedAt: sql`max(${updatedAt}, ${categories.updatedAt} + 1)` })
          .where(and(isOwned, eq(categories.parentId, id))),
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

function requireRecord([row]: readonly CategoryRow[]): CategoryRecord {
  if (!row) throw notFound("category");
  return toRecord(row);
}

function toRecord(row: CategoryRow): CategoryRecord {
  const { businessId: _, archivedAt, createdAt: __, updatedAt, ...category } = row;
  return { category, updatedAt, isArchived: archivedAt !== null };
}
