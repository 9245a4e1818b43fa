import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { document, instant } from "../../database/columns.ts";
import { products } from "../tables.ts";
import type { CollectionRule } from "./collection.ts";

export const collections = sqliteTable(
  "collections",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    name: text("name").notNull(),
    slug: text("slug").notNull(),
    description: text("description").notNull(),
    imageUrl: text("image_url"),
    sortOrder: integer("sort_order").notNull(),
    metadata: document<Record<string, unknown>>("metadata").notNull(),
    /** The rule; null when the collection has a list of products instead. */
    rule: document<CollectionRule>("rule"),
    archivedAt: instant("archived_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("collections_slug").on(t.businessId, t.slug).where(sql`archived_at is null`),
    index("collections_in_order").on(t.businessId, t.sortOrder, t.id),
    index("collections_by_one_tag")
      .on(t.businessId, sql`rule ->> '$.tags[0]'`)
      .where(sql`archived_at is null and json_array_length(rule, '$.tags') = 1`),
    // The migration product_facets adds collections_by_first_tag, for rules with several tags.
  ],
);

/** The products of a collection without a rule, in the merchant's order. */
export const collectionProducts = sqliteTable(
  "collection_products",
  {
    collectionId: text("collection_id")
      .notNull()
      .references(() => collections.id),
    productId: text("product_id")
      .notNull()
      .references(() => products.id),
    position: integer("position").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.collectionId, t.productId] }),
    index("collection_products_in_order").on(t.collectionId, t.position),
    index("collection_products_by_product").on(t.productId),
  ],
);
