import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../database/index.ts";
import { orders } from "./tables.ts";

/** Fails its batch on `orders.updated_at` when the query finds nothing. */
export const demandFound = (
  { db, business }: Pick<Context, "db" | "business">,
  orderId: string,
  query: SQL,
): Write =>
  db
    .update(orders)
    .set({ updatedAt: sql`case when exists (${query}) then ${orders.updatedAt} end` })
    .where(and(eq(orders.id, orderId), eq(orders.businessId, business.id)));
