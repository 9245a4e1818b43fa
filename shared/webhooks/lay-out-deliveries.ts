import type { DeliveryContext } from "./context.ts";
import { outboxRepo } from "./outbox-repo.ts";

/** So many events a run: with 20 subscriptions each, the rows of one batch stay in the low thousands. */
const maxEvents = 100;

/**
 * Turns the business's waiting events into deliveries, one for each active subscription that wants
 * the type. Safe to run twice at once: an event meets a subscription once.
 *
 * @returns whether more events may be waiting.
 */
export async function layOutDeliveries(ctx: DeliveryContext): Promise<boolean> {
  const laidOut = await outboxRepo(ctx).layOut({
    idStem: ctx.newId("dlv").slice(0, -3),
    now: ctx.now(),
    limit: maxEvents,
  });
  return laidOut === maxEvents;
}
