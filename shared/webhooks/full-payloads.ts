import type { DeliveryContext, WebhookRepoContext } from "./context.ts";
import { type DueDelivery, type FullData, needsFullData } from "./delivery.ts";
import { deliveryRepo } from "./delivery-repo.ts";

/** What a full payload adds to an order's events, and the version of the order that it shows. */
export type OrderPayload = Readonly<{ version: number; data: FullData }>;

/** Loads the payloads of a business's orders by id, in one round trip. */
export type LoadOrderPayloads = (
  ctx: WebhookRepoContext,
  orderIds: readonly string[],
) => Promise<ReadonlyMap<string, OrderPayload>>;

type PayloadSources = Readonly<{
  loadOrderPayloads: LoadOrderPayloads;
  mayQueryAgain: () => boolean;
}>;

/**
 * Builds the full payloads of claimed deliveries in two round trips, and stores them before the
 * first attempt, so that every attempt sends the same body. A delivery is missing in the result
 * when its order changed in between, or when the run may not query any more.
 */
export async function buildFullData(
  ctx: DeliveryContext,
  claimed: readonly DueDelivery[],
  { loadOrderPayloads, mayQueryAgain }: PayloadSources,
): Promise<ReadonlyMap<string, FullData>> {
  const due = claimed.filter(needsFullData);
  if (due.length === 0 || !mayQueryAgain()) return new Map();
  const orderIds = [...new Set(due.map(({ event }) => event.subjectId))];
  const payloads = await loadOrderPayloads(ctx, orderIds);
  const built = due.map(({ id, leaseUntil, event: { subjectId: orderId } }) => {
    const { version = null, data = {} } = payloads.get(orderId) ?? {};
    return { id, leaseUntil, orderId, version, data };
  });
  const stored = await deliveryRepo(ctx).storeFullData(built);
  return new Map(built.filter(({ id }) => stored.has(id)).map(({ id, data }) => [id, data]));
}
