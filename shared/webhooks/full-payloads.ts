import type { DeliveryContext, WebhookRepoContext } from "./context.ts";
import { type DueDelivery, type FullData, needsFullData } from "./delivery.ts";
import { type BuiltFullData, deliveryRepo } from "./delivery-repo.ts";

/** What a full payload adds to an order's events, and the version of the order that it shows. */
export type OrderPayload = Readonly<{ version: number; data: FullData }>;

/** Loads the payloads of a business's orders by id, in one round trip. */
export type LoadOrderPayloads = (
  ctx: WebhookRepoContext,
  orderIds: readonly string[],
) => Promise<ReadonlyMap<string, OrderPayload>>;

type PayloadSources = Readonly<{
  loadOrderPayloads: LoadOrderPayloads;
  /** As `loadOrderPayloads`, for platforms: the data is the whole body. */
  loadPlatformPayloads: LoadOrderPayloads;
  mayQueryAgain: () => boolean;
}>;

/**
 * Builds the full payloads of claimed deliveries in two round trips, or three when some go to
 * platforms, and stores them before the first attempt, so that every attempt sends the same body. A
 * delivery is missing in the result when its order changed in between, or when the run may not query
 * any more.
 */
export async function buildFullData(
  ctx: DeliveryContext,
  claimed: readonly DueDelivery[],
  { loadOrderPayloads, loadPlatformPayloads, mayQueryAgain }: PayloadSources,
): Promise<ReadonlyMap<string, FullData>> {
  const due = claimed.filter(needsFullData);
  if (due.length === 0 || !mayQueryAgain()) return new Map();
  const [toPlatforms = [], toSubscriptions = []] = [true, false].map((isPlatform) =>
    due.filter(({ subscription }) => (subscription.platform !== null) === isPlatform),
  );
  const load = async (deliveries: readonly DueDelivery[], loadPayloads: LoadOrderPayloads) =>
    deliveries.length === 0
      ? new Map<string, OrderPayload>()
      : await loadPayloads(ctx, [...new Set(deliveries.map(orderOf))]);
  const payloads = await load(toSubscriptions, loadOrderPayloads);
  const platformPayloads = await load(toPlatforms, loadPlatformPayloads);
  const built = [
    ...toSubscriptions.map((delivery) => {
      const { version = null, data = {} } = payloads.get(orderOf(delivery)) ?? {};
      return toBuilt(delivery, { version, data });
    }),
    ...toPlatforms.flatMap((delivery) => {
      const payload = platformPayloads.get(orderOf(delivery));
      return payload ? [toBuilt(delivery, payload)] : [];
    }),
  ];
  if (built.length === 0) return new Map();
  const stored = await deliveryRepo(ctx).storeFullData(built);
  return new Map(built.filter(({ id }) => stored.has(id)).map(({ id, data }) => [id, data]));
}

/** The order that the delivery shows. The event of a shipment has another subject. */
const orderOf = ({ event: { subjectId, data } }: DueDelivery): string =>
  typeof data.order_id === "string" ? data.order_id : subjectId;

const toBuilt = (
  delivery: DueDelivery,
  { version, data }: Omit<BuiltFullData, "id" | "leaseUntil" | "orderId">,
): BuiltFullData => {
  const { id, leaseUntil } = delivery;
  return { id, leaseUntil, orderId: orderOf(delivery), version, data };
};
