import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { countInCategory } from "../listing/facet-repo.ts";
import type { AtVersion, CatalogueReader } from "../listing/listing-repo.ts";
import { versionQuery } from "../product-repo.ts";
import { categories } from "../tables.ts";
import type { ListedCategory } from "./category.ts";

/** The public's categories of one business, each call one round trip. */
export function categoryListingRepo({ db, business }: CatalogueReader) {
  async function read(chosen?: SQL): Promise<AtVersion<readonly ListedCategory[]>> {
    const [version, rows] = await db.batch([
      versionQuery(db, business.id),
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
          productCount: countInCategory(business),
        })
        .from(categories)
        .where(and(eq(categories.businessId, business.id), isNull(categories.archivedAt), chosen))
        .orderBy(
          asc(categories.sortOrder),
          sql`${categories.name} collate nocase`, // as products by name
          asc(categories.id),
        ),
    ]);
    return { version: version[0]?.version ?? 0, data: rows };
  }

  return {
    /** In the order that the merchant gave them. */
    list: () => read(),

    async find(id: string): Promise<AtVersion<ListedCategory | null>> {
      const { version, data } = await read(eq(categories.id, id));
      return { version, data: data[0] ?? null };
    },
  };
}
