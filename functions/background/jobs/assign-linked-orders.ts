import type { MerchantContext } from "../../../shared/businesses/index.ts";
import {
  assignLinkedOrder,
  type UnassignedOrder,
  unassignedOrderRepo,
} from "../../../shared/link/index.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { unassignedOrdersPerRun } from "./batches.ts";

const job = "assign-linked-orders";

/** Gives linked orders their customer after their account has logged in. */
export async function assignLinkedOrders(background: BackgroundContext): Promise<void> {
  const now = background.runtime.now();
  const limit = unassignedOrdersPerRun;
  const due = await unassignedOrderRepo(background.core()).claimDue({ now, limit });
  const contexts = await background.loadOrderContexts(
    due.map(({ businessId }) => businessId),
    job,
  );
  for (const order of due) {
    const ctx = contexts.get(order.businessId);
    if (ctx) await assignDueOrder({ ...ctx, core: background.core() }, order);
  }
}

/** An error is reported and does not stop the other orders; claiming has postponed this one. */
async function assignDueOrder(ctx: MerchantContext, order: UnassignedOrder): Promise<void> {
  try {
    await assignLinkedOrder(ctx, order);
  } catch (error) {
    reportError("linked order not assigned", { order: order.orderId }, error);
  }
}
