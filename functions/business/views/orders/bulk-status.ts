import { z } from "@hono/zod-openapi";
import { orderStatuses, type StatusChangeResult } from "../../../../shared/orders/index.ts";
import { BulkError, viewBulkError } from "../bulk-error.ts";

const StatusChangeView = z
  .object({
    order_id: z.string(),
    /** The status that the order has now; null for an unknown order. */
    status: z.enum(orderStatuses).nullable(),
    error: BulkError,
  })
  .openapi("OrderStatusChange");

/** What became of each order, in the order of the request. */
export const BulkStatusView = z
  .object({ results: z.array(StatusChangeView) })
  .openapi("OrderStatusChanges");

export const viewStatusChange = ({
  orderId,
  status,
  refusal,
}: StatusChangeResult): z.infer<typeof StatusChangeView> => ({
  order_id: orderId,
  status,
  error: viewBulkError(refusal),
});
