import { sql } from "drizzle-orm";
import type { Context } from "../../database/index.ts";
import { type OrderDetails, orderDetailsQueries, toOrderRecords } from "../order-details-query.ts";
import type { OrderAgent } from "./agent-order.ts";
import { agentOrders } from "./tables.ts";

type OrderReader = Pick<Context, "db"> & Readonly<{ business: Readonly<{ id: string }> }>;

/** An order with the agent that placed it; null when a shopper or the business did. */
export type AgentOrderDetails = Readonly<{ details: OrderDetails; agent: OrderAgent | null }>;

/** Finds orders of the business in one round trip. Unknown and other businesses' are left out. */
export async function findOrdersForAgents(
  ctx: OrderReader,
  orderIds: readonly string[],
): Promise<AgentOrderDetails[]> {
  const { db, business } = ctx;
  const ids = sql`(select value from json_each(${JSON.stringify(orderIds)}))`;
  const [rows, ...orderRows] = await db.batch([
    db
      .select()
      .from(agentOrders)
      // The unary plus makes SQLite look the rows up by id.
      .where(sql`${agentOrders.orderId} in ${ids} and +${agentOrders.businessId} = ${business.id}`),
    ...orderDetailsQueries(ctx, ids),
  ]);
  const agents = new Map(rows.map(({ orderId, ...row }) => [orderId, toOrderAgent(row)]));
  return toOrderRecords(orderRows).map(({ details }) => ({
    details,
    agent: agents.get(details.order.id) ?? null,
  }));
}

const toOrderAgent = ({
  checkoutId,
  profileUrl,
  release,
  businessAddress,
  webhookUrl,
}: Omit<typeof agentOrders.$inferSelect, "orderId">): OrderAgent => ({
  checkoutId,
  profileUrl,
  release,
  businessAddress,
  webhookUrl,
});
