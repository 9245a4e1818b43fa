import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import {
  type AtVersion,
  type CatalogueReader,
  catalogueVersionQuery,
  parseVersion,
} from "../catalogue-version-repo.ts";
import { categories } from "../tables.ts";
import type { ListedCategory } from "./category.ts";
import { categoryCount } from "./category-tree-query.ts";

/** The categories that shoppers see, in display order, in one round trip. */
export const listCategories = (
  reader: CatalogueReader,
): Promise<AtVersion<readonly ListedCategory[]>> => readCategories(reader);

/** A category that shoppers see, in one round trip; null when it is unknown. */
export async function findCategory(
  reader: CatalogueReader,
  id: string,
): Promise<AtVersion<ListedCategory | null>> {
  const { version, data } = await readCategories(reader, eq(categories.id, id));
  return { version, data: data[0] ?? null };
}

async function readCategories(
  { db, business }: CatalogueReader,
  condition?: SQL,
): Promise<AtVersion<readonly ListedCategory[]>> {
  const [versionRows, data] = await db.batch([
    catalogueVersionQuery(db, business.id),
    db
      .select({
        id: categories.id,
        name: categories.name,
        slug: categories.slug,
        description: categories.description,
        parentId: categories.parentId,
        imageUrl: categories.imageUrl,
        sortOrder: categories.sortOrder,
        metadata: categories.metadata,
        productCount: categoryCount(business),
      })
      .from(categories)
      .where(and(eq(categories.businessId, business.id), isNull(categories.archivedAt), condition))
      .orderBy(
        asc(categories.sortOrder),
        sql`${categories.name} collate nocase`, // the collation of product names
        asc(categories.id),
      ),
  ]);
  return { version: parseVersion(versionRows), data };
}
