import { and, desc, eq, sql } from "drizzle-orm";
import { batchedRead, type PersonalData } from "../database/index.ts";
import { isRunningAt, toSubscription } from "./repo.ts";
import type { Subscription } from "./subscription.ts";
import { subscriptions } from "./tables.ts";

/**
 * A subscription with the phone number that is charged at every renewal. The number is stored in
 * the table order_lines of shared/orders.
 */
type PersonalSubscription = Readonly<{
  subscription: Subscription;
  phoneNumber: string | null;
}>;

/**
 * A customer's subscriptions. An erasure removes the customer's own texts and ends active
 * subscriptions now. The job then emits the event of the end and charges nothing more.
 */
export const subscriptionPersonalData: PersonalData<PersonalSubscription[]> = {
  read: ({ db, business }, { customerId }) =>
    batchedRead(
      [
        db
          .select({
            subscription: subscriptions,
            // Reads the table order_lines of shared/orders.
            phoneNumber: sql<
              string | null
            >`coalesce("subscriptions"."payment" ->> '$.mobileMoney.phoneNumber',
              (select line.subscription ->> '$.mobileMoney.phoneNumber'
                from order_lines as line where line.id = "subscriptions"."order_line_id"))`,
          })
          .from(subscriptions)
          .where(
            and(
              eq(subscriptions.businessId, business.id),
              eq(subscriptions.customerId, customerId),
            ),
          )
          .orderBy(desc(subscriptions.createdAt), desc(subscriptions.id)),
      ],
      ([rows]) =>
        rows.map(({ subscription, phoneNumber }) => {
          return { subscription: toSubscription(subscription), phoneNumber };
        }),
    ),

  erase({ db, business, now }, { customerId }) {
    const own = and(
      eq(subscriptions.businessId, business.id),
      eq(subscriptions.customerId, customerId),
    );
    return [
      db
        .update(subscriptions)
        .set({
          items: sql`(select json_group_array(json(json_set(item.value, '$.configuration.specialInstructions', null)))
            from json_each(${subscriptions.items}) as item)`,
          cancellationReason: null,
          payment: null,
          version: sql`${subscriptions.version} + 1`,
        })
        .where(own),
      db
        .update(subscriptions)
        .set({ endsAt: now(), dueAt: now() })
        .where(and(own, isRunningAt(now()))),
    ];
  },
};
