import { describeChoice, formatPrice } from "../parts/format.ts";
import { Totals } from "../parts/totals.tsx";
import { deliveryName } from "../shop/delivery.tsx";
import type { VisitedShop } from "../shop/open-shop.ts";
import { bookingTime } from "./bookings.tsx";
import type { Order } from "./open-order.ts";

type ItemsProps = Readonly<{ shop: VisitedShop; order: Order }>;

/** The lines of an order. */
export const OrderItems = ({ shop, order }: ItemsProps) => (
  <ul class="brief">
    {order.items.map((item) => (
      <li>
        <span>
          {item.quantity} × {item.product_name}
          <small>{describeChoice(item)}</small>
          {order.bookings
            .filter(({ line_item_id: line, status }) => line === item.id && status !== "cancelled")
            .map((booking) => (
              <small>{bookingTime(shop, booking)}</small>
            ))}
        </span>
        <span class="amount">
          {formatPrice(String(Number(item.unit_price) * item.quantity), shop.business)}
        </span>
      </li>
    ))}
  </ul>
);

export const OrderTotals = ({ shop, order }: ItemsProps) => (
  <Totals shop={shop} amounts={order} delivery={deliveryName(order)} />
);
