import { sql } from "drizzle-orm";
import type { Context } from "../../database/index.ts";
import { levelsToShipQuery, type ShippableLevel } from "../../inventory/index.ts";
import { notFound } from "../../kernel/index.ts";
import { orderIdQuery } from "../annotation-repo.ts";
import { type OrderDetails, orderDetailsQueries, toOrderRecords } from "../order-details-query.ts";

/** An order, and the stock that its shipments can leave. */
export type ShippableOrder = Readonly<{
  details: OrderDetails;
  levels: readonly ShippableLevel[];
}>;

/**
 * Loads the order with this id or order number in one round trip.
 *
 * @throws Refusal NOT_FOUND.
 */
export async function loadOrderToShip(
  ctx: Pick<Context, "db" | "business">,
  idOrNumber: string,
): Promise<ShippableOrder> {
  const id = sql`(${orderIdQuery(ctx.business, idOrNumber)})`;
  const [levels, ...rows] = await ctx.db.batch([
    levelsToShipQuery(ctx, id),
    ...orderDetailsQueries(ctx, id),
  ]);
  const [record] = toOrderRecords(rows);
  if (!record) throw notFound("order");
  return { details: record.details, levels };
}
