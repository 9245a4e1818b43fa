import { type Refusal, refusalIn } from "../../../shared/kernel/index.ts";
import type { OrderContext } from "../../../shared/orders/index.ts";
import { lookAfterSubscription } from "../../../shared/renewals/index.ts";
import {
  claimDueSubscriptions,
  type DueSubscription,
} from "../../../shared/subscriptions/index.ts";
import { log } from "../../runtime/log.ts";
import { type Background, report } from "../context.ts";
import type { Work } from "../work.ts";
import { perShard, renewalsPerMessage, renewalsPerRun } from "./query-budget.ts";

const job = "renew-subscriptions";

/**
 * Takes up what is due: renewals, ends, and tries after a failure (completions.md 7). A few each go to
 * an invocation of their own; those whose message is lost are due again when their lease is over.
 */
export async function renewSubscriptions(background: Background, shard: string): Promise<void> {
  const due = await claimDueSubscriptions(background.dbOf(shard), {
    now: background.chance.now(),
    limit: perShard(background, renewalsPerRun),
  });
  const messages = inMessages(due).map((body) => ({ body }));
  if (messages.length > 0) await background.work.sendBatch(messages);
}

const inMessages = (due: readonly DueSubscription[]): Work[] =>
  Array.from({ length: Math.ceil(due.length / renewalsPerMessage) }, (_, index) => {
    const first = index * renewalsPerMessage;
    return { type: "renewals", due: due.slice(first, first + renewalsPerMessage) };
  });

/** Does what is due for each of these at this moment; for one that is looked after already, nothing. */
export async function lookAfterAll(
  background: Background,
  due: readonly DueSubscription[],
): Promise<void> {
  const contexts = await background.orderContexts(
    due.map(({ businessId }) => businessId),
    job,
  );
  for (const { id, businessId } of due) {
    const ctx = contexts.get(businessId);
    if (ctx) await lookAfter(ctx, id);
  }
}

/** One that fails keeps no other from its renewal; it is taken up again when its lease is over. */
async function lookAfter(ctx: OrderContext, id: string): Promise<void> {
  try {
    const looked = await lookAfterSubscription(ctx, id);
    if (looked === "silent") log("error", "renewal without an answer", { subscription: id });
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal && isForLater(refusal)) return;
    report("subscription not looked after", { subscription: id }, error);
  }
}

/** It changes at this moment, or the provider or the database does not say: a later run asks again. */
const isForLater = ({ code }: Refusal): boolean =>
  code === "CONFLICT" || code === "SERVICE_UNAVAILABLE";
