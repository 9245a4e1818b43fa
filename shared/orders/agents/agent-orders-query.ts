import { sql } from "drizzle-orm";
import type { Context } from "../../database/index.ts";
import { type OrderDetails, orderDetailsQueries, toOrderRecords } from "../order-details-query.ts";
import type { OrderAgent } from "./agent-order.ts";
import { agentOrders } from "./tables.ts";

type OrderReader = Pick<Context, "db"> & Readonly<{ business: Readonly<{ id: string }> }>;

/** An order that an agent placed, with its details. */
export type AgentOrderDetails = Readonly<{ details: OrderDetails; agent: OrderAgent }>;

/**
 * Finds orders that agents placed, in one round trip. Orders of others and of other businesses are
 * left out.
 */
export async function findAgentOrders(
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
  return toOrderRecords(orderRows).flatMap(({ details }) => {
    const agent = agents.get(details.order.id);
    return agent ? [{ details, agent }] : [];
  });
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
