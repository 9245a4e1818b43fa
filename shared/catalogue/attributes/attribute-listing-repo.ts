import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { namedCollection } from "../collections/collection-listing-repo.ts";
import { collections } from "../collections/tables.ts";
import type { AtVersion, CatalogueReader } from "../listing/listing-repo.ts";
import { ownRow, versionQuery } from "../product-repo.ts";
import { categories } from "../tables.ts";
import type { Attribute } from "./attribute.ts";
import { attributeFrom } from "./attribute-repo.ts";
import { attributes } from "./tables.ts";

/** The public's attributes of a category or a collection; null for an unknown one. One round trip each. */
export function attributeListingRepo({ db, business }: CatalogueReader) {
  async function read(owner: SQL, isOwned: SQL): Promise<AtVersion<Attribute[] | null>> {
    const [version, owners, rows] = await db.batch([
      versionQuery(db, business.id),
      db.select({ id: sql<string>`owner.id` }).from(sql`(${owner}) as owner`),
      db
        .select()
        .from(attributes)
        .where(and(isOwned, ownRow(attributes.businessId, business), isNull(attributes.archivedAt)))
        .orderBy(asc(attributes.id)),
    ]);
    const data = owners.length === 0 ? null : rows.map(attributeFrom);
    return { version: version[0]?.version ?? 0, data };
  }

  return {
    ofCategory(id: string): Promise<AtVersion<Attribute[] | null>> {
      const one = and(
        eq(categories.id, id),
        ownRow(categories.businessId, business),
        isNull(categories.archivedAt),
      );
      const owner = sql`select ${categories.id} from ${categories} where ${one}`;
      return read(owner, sql`${attributes.categoryId} in (${owner})`);
    },

    ofCollection(idOrSlug: string): Promise<AtVersion<Attribute[] | null>> {
      const one = and(namedCollection(business, idOrSlug), isNull(collections.archivedAt));
      const owner = sql`select ${collections.id} from ${collections} where ${one}`;
      return read(owner, sql`${attributes.collectionId} in (${owner})`);
    },
  };
}
