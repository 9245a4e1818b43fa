import { sql } from "drizzle-orm";
import { check, index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { document, flag, instant, oneOf } from "../../database/columns.ts";
import { collections } from "../collections/tables.ts";
import { categories } from "../tables.ts";
import { type AttributeType, attributeTypes } from "./attribute.ts";

export const attributes = sqliteTable(
  "attributes",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    categoryId: text("category_id").references(() => categories.id),
    collectionId: text("collection_id").references(() => collections.id),
    key: text("key").notNull(),
    label: text("label").notNull(),
    type: text("type").$type<AttributeType>().notNull(),
    values: document<readonly string[]>("values").notNull(),
    unit: text("unit"),
    isFilterable: flag("is_filterable").notNull(),
    archivedAt: instant("archived_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("attributes_of_category").on(t.categoryId, t.key).where(sql`archived_at is null`),
    uniqueIndex("attributes_of_collection")
      .on(t.collectionId, t.key)
      .where(sql`archived_at is null`),
    index("attributes_by_business").on(t.businessId, t.id),
    index("attributes_ever_of_category").on(t.categoryId).where(sql`category_id is not null`),
    index("attributes_ever_of_collection").on(t.collectionId).where(sql`collection_id is not null`),
    check("attributes_owner", sql`(category_id is null) <> (collection_id is null)`),
    check("attributes_type", oneOf(t.type, attributeTypes)),
  ],
);
