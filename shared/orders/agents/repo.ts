import type { Context, Write } from "../../database/index.ts";
import type { OrderAgent } from "./agent-order.ts";
import { agentOrders } from "./tables.ts";

type AgentOrderDatabase = Pick<Context, "db"> & Readonly<{ business: Readonly<{ id: string }> }>;

/** A statement for the batch that places an order: it stores which agent placed it. */
export const insertAgentOrder = (
  { db, business }: AgentOrderDatabase,
  orderId: string,
  agent: OrderAgent,
  createdAt: number,
): Write =>
  db.insert(agentOrders).values({ ...agent, orderId, businessId: business.id, createdAt });
