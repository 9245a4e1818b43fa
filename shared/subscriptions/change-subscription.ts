import { endedLogin, type Login, loginEnded, loginRepo } from "../customers/index.ts";
import { type AuditedChange, type Context, commit } from "../database/index.ts";
import type { DomainEvent } from "../events/index.ts";
import { Refusal } from "../kernel/index.ts";
import { subscriptionRefusals, subscriptionRepo } from "./repo.ts";
import type { Subscription } from "./subscription.ts";

/** Who changes a subscription: the customer whose it is, or the business. */
export type Asker = Readonly<{ type: "customer"; login: Login }> | Readonly<{ type: "business" }>;

type Asked = Readonly<{
  id: string;
  by: Asker;
  /** The subscription after the change; the same one where there is nothing to be changed. */
  change: (subscription: Subscription) => Subscription;
  events?: (after: Subscription) => readonly DomainEvent[];
  /** The audit's word for it, where the business asks. */
  action: string;
}>;

const maxTries = 5;

/**
 * Changes a subscription as somebody asks, and answers with it; where another change comes first,
 * again on what that one left.
 *
 * @throws Refusal NOT_FOUND, also for another customer's; UNAUTHORIZED once the login has ended; what
 * `change` refuses.
 */
export async function changeSubscription(ctx: Context, asked: Asked): Promise<Subscription> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await changeOnce(ctx, asked);
    } catch (error) {
      const isOvertaken = error instanceof Refusal && error.code === "CONFLICT" && error.retryable;
      if (!isOvertaken || tries === maxTries) throw error;
    }
  }
}

async function changeOnce(
  ctx: Context,
  { id, by, change, events = () => [], action }: Asked,
): Promise<Subscription> {
  const subscriptions = subscriptionRepo(ctx);
  const { subscription: before } =
    by.type === "customer"
      ? await subscriptions.getOfCustomer(id, by.login)
      : await subscriptions.get(id);
  const after = change(before);
  if (after === before) return before;
  await commit(ctx, {
    writes: [
      ...(by.type === "customer" ? [loginRepo(ctx).demand(by.login)] : []),
      subscriptions.update(after),
    ],
    events: events(after),
    audit: by.type === "business" ? [audited(action, before, after)] : [],
    refusals: { ...subscriptionRefusals, [endedLogin]: loginEnded },
  });
  return after;
}

/** Without the reason, which stands with the subscription, where it is erased with its customer. */
const audited = (action: string, before: Subscription, after: Subscription): AuditedChange => ({
  action,
  entity: after.id,
  before: { status: before.status, endsAt: before.endsAt },
  after: { status: after.status, endsAt: after.endsAt },
});
