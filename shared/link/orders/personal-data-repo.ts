import { and, eq, type SQL, sql } from "drizzle-orm";
import { type PersonalData, type PersonalDataScope, reading } from "../../database/index.ts";
import { linkOrders } from "./tables.ts";

export type OrderLink = Readonly<{ orderId: string; accountId: string; linkedAt: number }>;

const ownOrders = ({ business }: PersonalDataScope, { orderIds }: { orderIds: SQL }) =>
  and(eq(linkOrders.businessId, business.id), sql`${linkOrders.orderId} in ${orderIds}`);

/** Which of a person's orders are a Link account's, which tells of them in other shops too: erased, it is gone. */
export const linkPersonalData: PersonalData<OrderLink[]> = {
  read: (scope, person) =>
    reading(
      [
        scope.db
          .select({
            orderId: linkOrders.orderId,
            accountId: linkOrders.accountId,
            linkedAt: linkOrders.linkedAt,
          })
          .from(linkOrders)
          .where(ownOrders(scope, person)),
      ],
      ([links]) => links,
    ),
  erase: (scope, person) => [scope.db.delete(linkOrders).where(ownOrders(scope, person))],
};
