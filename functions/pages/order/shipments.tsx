import { formatTime } from "../parts/format.ts";
import type { VisitedShop } from "../shop/open-shop.ts";
import type { Order } from "./open-order.ts";

const names: Readonly<Record<Order["shipments"][number]["status"], string>> = {
  label_created: "Being packed",
  shipped: "On its way",
  in_transit: "On its way",
  delivered: "Delivered",
  failed: "Could not be delivered",
  returned: "Returned to the shop",
};

/** The parcels of an order with their tracking. */
export const Shipments = ({ shop, order }: Readonly<{ shop: VisitedShop; order: Order }>) =>
  order.shipments.length > 0 && (
    <section class="panel" aria-labelledby="parcels">
      <h2 id="parcels">{order.shipments.length === 1 ? "Your parcel" : "Your parcels"}</h2>
      <ul class="parcels">
        {order.shipments.map((shipment) => (
          <li>
            <strong>{names[shipment.status]}</strong>
            {shipment.shipped_at && (
              <span class="hint">
                {" "}
                since {formatTime(shipment.delivered_at ?? shipment.shipped_at, shop.business)}
              </span>
            )}
            <p>
              {[shipment.carrier, shipment.tracking_number].filter(Boolean).join(" ")}
              {shipment.tracking_url && (
                <>
                  {" "}
                  <a href={shipment.tracking_url} rel="noreferrer">
                    Track the parcel
                  </a>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
