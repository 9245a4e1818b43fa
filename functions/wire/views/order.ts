import { z } from "@hono/zod-openapi";
import { deliveryTypes } from "../../../shared/delivery/index.ts";
import { formatMoney, iso, isoOrNull } from "../../../shared/kernel/index.ts";
import {
  chosenDeliveryOf,
  fulfilmentStatuses,
  fulfilmentStatusOf,
  type OrderDetails,
  type OrderLine,
  orderStatuses,
  orderTypes,
  wireStatus,
} from "../../../shared/orders/index.ts";
import { type LineDiscount, lineDiscounts } from "../../../shared/pricing/index.ts";
import { jsonValue, type PublicAddress } from "../fields.ts";

import { BookingView, viewBooking } from "./booking.ts";
import {
  DiscountView,
  LineDiscountView,
  lineDetailsViewFields,
  TaxLineView,
  viewDiscount,
  viewLineDetails,
  viewLineDiscount,
  viewTaxLine,
} from "./line.ts";
import { ShipmentView, viewShipment } from "./shipment.ts";

export const OrderItemView = z.object({
  id: z.string(),
  product_id: z.string(),
  product_name: z.string(),
  variant_id: z.string().nullable(),
  variant_name: z.string().nullable(),
  quantity: z.number().int(),
  unit_price: z.string(),
  total: z.string(),
  discount_amount: z.string(),
  discounts: z.array(LineDiscountView),
  tax_amount: z.string(),
  ...lineDetailsViewFields,
  add_on_options: z.array(z.string()),
  special_instructions: z.string().nullable(),
});

const OrderDeliveryView = z
  .object({
    type: z.enum(deliveryTypes),
    name: z.string(),
    price: z.string(),
    address: z.record(z.string(), jsonValue).nullable(),
    location_id: z.string(),
    min_days: z.number().int().nullable(),
    max_days: z.number().int().nullable(),
  })
  .openapi("OrderDelivery");

export const OrderView = z
  .object({
    id: z.string(),
    order_number: z.string(),
    status: z.enum(orderStatuses),
    order_type: z.enum(orderTypes),
    items: z.array(OrderItemView),
    subtotal: z.string(),
    discount_total: z.string(),
    discounts: z.array(DiscountView),
    delivery_total: z.string(),
    delivery: OrderDeliveryView.nullable(),
    tax_amount: z.string(),
    tax_total: z.string(),
    tax_lines: z.array(TaxLineView),
    total_price: z.string(),
    currency: z.string(),
    customer_id: z.string().nullable(),
    customer_name: z.string().nullable(),
    payment_status: z.string(),
    payment_method: z.string(),
    location_id: z.string(),
    address_info: z.record(z.string(), jsonValue).nullable(),
    special_instructions: z.string().nullable(),
    bookings: z.array(BookingView),
    fulfilment_status: z.enum(fulfilmentStatuses),
    shipments: z.array(ShipmentView),
    status_history: z.array(
      z.object({ status: z.enum(orderStatuses), at: z.string(), by: z.string() }),
    ),
    created_at: z.string(),
    updated_at: z.string(),
    cancelled_at: z.string().nullable(),
    cancellation_reason: z.string().nullable(),
  })
  .openapi("Order");

export function viewOrder(
  { order, bookings, shipments }: Pick<OrderDetails, "order" | "bookings" | "shipments">,
  address: PublicAddress,
): z.infer<typeof OrderView> {
  const { currency } = order;
  const money = (minor: number) => formatMoney(minor, currency);
  return {
    id: order.id,
    order_number: order.orderNumber,
    status: order.status,
    order_type: order.orderType,
    items: order.lines.map((line, index) =>
      viewOrderItem(line, {
        currency,
        address,
        discounts: lineDiscounts(order.discounts, index),
      }),
    ),
    subtotal: money(order.subtotalMinor),
    discount_total: money(order.discountTotalMinor),
    discounts: order.discounts.map((discount) => viewDiscount(discount, currency)),
    delivery_total: money(order.deliveryTotalMinor),
    delivery: viewOrderDelivery(order),
    tax_amount: money(order.taxTotalMinor),
    tax_total: money(order.taxTotalMinor),
    tax_lines: order.taxLines.map((line) => viewTaxLine(line, currency)),
    total_price: money(order.totalPriceMinor),
    currency,
    customer_id: order.customerId,
    customer_name: order.customerName,
    payment_status: wireStatus(order.paymentStatus),
    payment_method: order.paymentMethod,
    location_id: order.locationId,
    address_info: order.addressInfo,
    special_instructions: order.specialInstructions,
    bookings: bookings.map(viewBooking),
    fulfilment_status: fulfilmentStatusOf({ order, shipments }),
    shipments: shipments.map(viewShipment),
    status_history: order.statusHistory.map(({ status, at, by }) => ({ status, at: iso(at), by })),
    created_at: iso(order.createdAt),
    updated_at: iso(order.updatedAt),
    cancelled_at: isoOrNull(order.cancelledAt),
    cancellation_reason: order.cancellationReason,
  };
}

function viewOrderDelivery(order: OrderDetails["order"]): z.infer<typeof OrderView>["delivery"] {
  const delivery = chosenDeliveryOf(order);
  return (
    delivery && {
      type: delivery.type,
      name: delivery.name,
      price: formatMoney(delivery.priceMinor, order.currency),
      address: delivery.address,
      location_id: delivery.locationId,
      min_days: delivery.minDays,
      max_days: delivery.maxDays,
    }
  );
}

export const viewOrderItem = (
  line: OrderLine,
  {
    discounts,
    ...options
  }: Readonly<{
    currency: string;
    address: PublicAddress | null;
    discounts: readonly LineDiscount[];
  }>,
): z.infer<typeof OrderItemView> => ({
  id: line.id,
  product_id: line.productId,
  product_name: line.productName,
  variant_id: line.variantId,
  variant_name: line.variantName,
  quantity: line.quantity,
  unit_price: formatMoney(line.unitPriceMinor, options.currency),
  total: formatMoney(line.unitPriceMinor * line.quantity, options.currency),
  discount_amount: formatMoney(
    discounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    options.currency,
  ),
  discounts: discounts.map((discount) => viewLineDiscount(discount, options.currency)),
  tax_amount: formatMoney(line.taxMinor, options.currency),
  ...viewLineDetails({ details: line.details, parts: line.priceParts }, options),
  add_on_options: [...line.addOnOptionIds],
  special_instructions: line.specialInstructions,
});
