import type { BusinessSchemas } from "@duka/sdk/business";
import { Badge, type Tone } from "../../ui/badge.tsx";

export type Order = BusinessSchemas["MerchantOrder"];
export type OrderStatus = Order["status"];

export const orderStatuses: Readonly<Record<OrderStatus, Readonly<{ name: string; tone: Tone }>>> =
  {
    pending: { name: "Pending", tone: "warning" },
    confirmed: { name: "Confirmed", tone: "info" },
    preparing: { name: "Preparing", tone: "info" },
    ready: { name: "Ready", tone: "info" },
    completed: { name: "Completed", tone: "success" },
    cancelled: { name: "Cancelled", tone: "neutral" },
  };

/** The changes of status that a merchant may make. */
export const nextStatuses: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending: ["confirmed"],
  confirmed: ["preparing", "ready", "completed"],
  preparing: ["ready", "completed"],
  ready: ["completed"],
  completed: [],
  cancelled: [],
};

export const OrderStatusBadge = ({ status }: Readonly<{ status: OrderStatus }>) => (
  <Badge tone={orderStatuses[status].tone}>{orderStatuses[status].name}</Badge>
);

/** Names the platform whose agent placed the order, by the host of its profile. */
export const AgentBadge = ({ agent }: Pick<Order, "agent">) =>
  agent && <Badge tone="info">{`Agent of ${new URL(agent.profile_url).host}`}</Badge>;

type PaymentState = Order["payment"]["provider_status"];

export const paymentStates: Readonly<Record<PaymentState, Readonly<{ name: string; tone: Tone }>>> =
  {
    pending: { name: "Unpaid", tone: "warning" },
    requires_action: { name: "Waits for the payer", tone: "warning" },
    processing: { name: "Processing", tone: "warning" },
    captured: { name: "Paid", tone: "success" },
    failed: { name: "Failed", tone: "danger" },
    cancelled: { name: "Cancelled", tone: "neutral" },
    refunded: { name: "Refunded", tone: "neutral" },
    partially_refunded: { name: "Partly refunded", tone: "neutral" },
  };

export const PaymentBadge = ({ state }: Readonly<{ state: PaymentState }>) => (
  <Badge tone={paymentStates[state].tone}>{paymentStates[state].name}</Badge>
);

const fulfilments: Readonly<
  Record<Order["fulfilment_status"], Readonly<{ name: string; tone: Tone }> | null>
> = {
  unfulfilled: { name: "To ship", tone: "neutral" },
  partially_fulfilled: { name: "Partly shipped", tone: "info" },
  fulfilled: { name: "Shipped", tone: "success" },
  not_required: null,
};

export function FulfilmentBadge({ status }: Readonly<{ status: Order["fulfilment_status"] }>) {
  const fulfilment = fulfilments[status];
  return fulfilment && <Badge tone={fulfilment.tone}>{fulfilment.name}</Badge>;
}

export const orderTypes: Readonly<Record<Order["order_type"], string>> = {
  delivery: "Delivery",
  pickup: "Pickup",
  "dine-in": "Dine-in",
  "walk-in": "Walk-in",
};
