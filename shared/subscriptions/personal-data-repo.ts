import { and, desc, eq, sql } from "drizzle-orm";
import { type PersonalData, reading } from "../database/index.ts";
import { stillRuns, subscriptionFromRow } from "./repo.ts";
import type { Subscription } from "./subscription.ts";
import { subscriptions } from "./tables.ts";

/** A subscription, and the phone that is asked to pay for it, which stands with the line that began it. */
export type SubscriptionOfPerson = Readonly<{
  subscription: Subscription;
  phoneNumber: string | null;
}>;

/**
 * A customer's subscriptions. Erasure blanks what they wrote, and ends what still runs: the job finds
 * its end come, tells of it, and charges nothing more.
 */
export const subscriptionPersonalData: PersonalData<SubscriptionOfPerson[]> = {
  read: ({ db, business }, { customerId }) =>
    reading(
      [
        db
          .select({
            subscription: subscriptions,
            phoneNumber: sql<
              string | null
            >`(select line.subscription ->> '$.mobileMoney.phoneNumber'
              from order_lines as line where line.id = "subscriptions"."order_line_id")`,
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
          return { subscription: subscriptionFromRow(subscription), phoneNumber };
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
          version: sql`${subscriptions.version} + 1`,
        })
        .where(own),
      db
        .update(subscriptions)
        .set({ endsAt: now(), dueAt: now() })
        .where(and(own, stillRuns(now()))),
    ];
  },
};
