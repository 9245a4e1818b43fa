import { retryOnConflict } from "../../database/index.ts";
import { notFound, omitUndefined } from "../../kernel/index.ts";
import {
  type Shipment,
  type ShipmentStatus,
  shipmentRepo,
  type Tracking,
  withShipmentStatus,
} from "../../shipments/index.ts";
import type { OrderContext } from "../context.ts";
import { commitShipment } from "./commit-shipment.ts";
import { loadOrderToShip } from "./shippable-order-query.ts";

type UpdateShipmentInput = Readonly<{
  idOrNumber: string;
  shipmentId: string;
  /** What is undefined stays. */
  changes: Readonly<
    { [F in keyof Tracking]?: Tracking[F] | undefined } & { status?: ShipmentStatus | undefined }
  >;
}>;

/**
 * Changes a shipment's tracking or moves it on. A repeat changes nothing.
 *
 * @throws Refusal NOT_FOUND; INVALID_STATE for a step back, or when units would leave that a
 *   cancellation or a refund has released.
 */
export function updateShipment(
  ctx: OrderContext,
  { idOrNumber, shipmentId, changes: { status, ...tracking } }: UpdateShipmentInput,
): Promise<Shipment> {
  return retryOnConflict(async () => {
    const shippable = await loadOrderToShip(ctx, idOrNumber);
    const before = shippable.details.shipments.find(({ id }) => id === shipmentId);
    if (!before) throw notFound("shipment");
    const at = ctx.now();
    const tracked = { ...before, ...omitUndefined(tracking) };
    const moved = withShipmentStatus(tracked, status ?? before.status, at);
    if (JSON.stringify(moved) === JSON.stringify(before)) return before;
    const after = { ...moved, updatedAt: at };
    await commitShipment(ctx, shippable, {
      before,
      after,
      write: [shipmentRepo(ctx).update(after)],
      audit: {
        action: "shipment.updated",
        entity: shippable.details.order.id,
        before: auditedFields(before),
        after: auditedFields(after),
      },
    });
    return after;
  });
}

const auditedFields = ({ id, status, carrier, trackingNumber, trackingUrl }: Shipment) => ({
  shipment: id,
  status,
  carrier,
  trackingNumber,
  trackingUrl,
});
