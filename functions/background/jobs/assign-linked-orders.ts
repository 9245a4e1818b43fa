import {
  assignLinkedOrder,
  type OrderLinkContext,
  type UnassignedOrder,
  unassignedOrderRepo,
} from "../../../shared/link/index.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { type JobResult, maxQueries, processInBatches } from "../runs/batches.ts";

const job = "assign-linked-orders";
const ordersPerBatch = 16;

/** Links orders that were enrolled without a session, after their contact has logged in. */
export function assignLinkedOrders(background: BackgroundContext): Promise<JobResult> {
  const core = background.core();
  return processInBatches(background, {
    batchSize: ordersPerBatch,
    maxQueriesPerBatch: ordersPerBatch * maxQueries.unassignedOrder,
    claim: (range) => unassignedOrderRepo(core).claimDue(range),
    async process(due) {
      const contexts = await background.loadOrderContexts(
        due.map(({ businessId }) => businessId),
        job,
      );
      for (const order of due) {
        const ctx = contexts.get(order.businessId);
        const { notify } = background.messages;
        if (ctx) await assignDueOrder(background, { ...ctx, core, notify }, order);
      }
    },
  });
}

/** An error is reported and does not stop the other orders; claiming has postponed this one. */
async function assignDueOrder(
  { failedRecords }: BackgroundContext,
  ctx: OrderLinkContext,
  order: UnassignedOrder,
): Promise<void> {
  try {
    await assignLinkedOrder(ctx, order);
  } catch (error) {
    reportError("linked order not assigned", { order: order.orderId }, error);
    failedRecords.add({ job, shard: null, record: order.orderId }, error);
  }
}
