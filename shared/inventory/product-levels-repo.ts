import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../database/index.ts";
import { stockLevels } from "./tables.ts";

/** The statement that reads a product's levels, its variants' too; `productId` is a query of ids. */
export const levelsOfProductQuery = (
  { db, business }: Readonly<{ db: Db; business: Readonly<{ id: string }> }>,
  productId: SQL,
) =>
  db
    .select({
      itemId: stockLevels.itemId,
      locationId: stockLevels.locationId,
      quantityOnHand: stockLevels.quantityOnHand,
      quantityReserved: stockLevels.quantityReserved,
      lowStockThreshold: stockLevels.lowStockThreshold,
    })
    .from(stockLevels)
    .where(
      and(eq(stockLevels.businessId, business.id), sql`${stockLevels.productId} in (${productId})`),
    );
