import { and, eq, type SQL, sql } from "drizzle-orm";
import { batchedRead, type PersonalData, type PersonalDataContext } from "../../database/index.ts";
import { linkOrders } from "./tables.ts";

export type OrderLink = Readonly<{ orderId: string; accountId: string; linkedAt: number }>;

const isOrderOfSubject = ({ business }: PersonalDataContext, { orderIds }: { orderIds: SQL }) =>
  and(eq(linkOrders.businessId, business.id), sql`${linkOrders.orderId} in ${orderIds}`);

/** The links of a customer's orders to Link accounts, which erasure deletes. */
export const linkPersonalData: PersonalData<OrderLink[]> = {
  read: (scope, person) =>
    batchedRead(
      [
        scope.db
          .select({
            orderId: linkOrders.orderId,
            accountId: linkOrders.accountId,
            linkedAt: linkOrders.linkedAt,
          })
          .from(linkOrders)
          .where(isOrderOfSubject(scope, person)),
      ],
      ([links]) => links,
    ),
  erase: (scope, person) => [scope.db.delete(linkOrders).where(isOrderOfSubject(scope, person))],
};
