import { and, sql } from "drizzle-orm";
import type { CatalogueReader } from "../listing/listing-repo.ts";
import { stocked, visibleById } from "../listing/product-filter-repo.ts";
import { namedProduct } from "../listing/product-page-repo.ts";
import { products } from "../tables.ts";
import type { ScheduleRule } from "./schedule-rule.ts";

/** What an active product's availability at a location depends on; null when there is no such product. */
export async function findOffer(
  { db, business }: CatalogueReader,
  idOrSlug: string,
  locationId: string,
): Promise<{ schedules: readonly ScheduleRule[]; isInStock: boolean } | null> {
  // Nested: drizzle takes the tables' names off the columns of an expression in a one-table select.
  const isInStock = sql<number>`(${stocked(true, locationId)})`;
  const [[row]] = await db.batch([
    db
      .select({ schedules: products.schedules, isInStock })
      .from(products)
      .where(and(namedProduct(business, idOrSlug), visibleById(business))),
  ]);
  return row ? { schedules: row.schedules, isInStock: row.isInStock === 1 } : null;
}
