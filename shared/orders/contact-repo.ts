import { type SQL, sql } from "drizzle-orm";
import type { ContactType } from "../customers/index.ts";
import type { Context } from "../database/index.ts";
import { orders } from "./tables.ts";

/** A query, in brackets, for a contact that an order of the business names; null for none. */
export function contactOfOrder(
  { business }: Pick<Context, "business">,
  { orderId, type }: Readonly<{ orderId: string; type: ContactType }>,
): SQL {
  const column = sql.raw(type === "phone" ? "customer_phone" : "customer_email");
  return sql`(select ${column} from ${orders} where id = ${orderId} and business_id = ${business.id})`;
}
