import type { MerchantContext } from "../../../shared/businesses/index.ts";
import { refusalIn } from "../../../shared/kernel/index.ts";
import {
  claimDueIntents,
  finishOrderIntent,
  type OrderIntent,
} from "../../../shared/link/index.ts";
import { type Background, report } from "../context.ts";
import { intentsPerRun } from "./query-budget.ts";

const job = "finish-order-links";

/** Goes on with enrolments with an order that a crash left between the shop's database and CORE. */
export async function finishOrderLinks(background: Background): Promise<void> {
  const now = background.chance.now();
  const due = await claimDueIntents(background.core(), { now, limit: intentsPerRun });
  const contexts = await background.orderContexts(
    due.map(({ businessId }) => businessId),
    job,
  );
  for (const intent of due) {
    const ctx = contexts.get(intent.businessId);
    if (ctx) await finish({ ...ctx, core: background.core() }, intent);
  }
}

/** One that fails keeps no other from its end; its next time has been set already. */
async function finish(ctx: MerchantContext, intent: OrderIntent): Promise<void> {
  try {
    await finishOrderIntent(ctx, intent);
  } catch (error) {
    if (refusalIn(error)?.code === "CONFLICT") return; // another account's, or the next run's
    report("order not linked", { order: intent.orderId }, error);
  }
}
