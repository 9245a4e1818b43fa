import type { Business } from "@duka/sdk/business";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useShop } from "../../api/shop.ts";
import { Badge } from "../../ui/badge.tsx";

type Webhooks = Business["webhooks"];
export type Webhook = Awaited<ReturnType<Webhooks["list"]>>["data"][number];
export type Delivery = Awaited<ReturnType<Webhooks["retryDelivery"]>>["data"];
type EventName = Webhook["events"][number];

/** What a webhook can report. */
const eventNames: Readonly<Record<EventName, string>> = {
  "order.created": "Order placed",
  "order.updated": "Order changed",
  "order.completed": "Order completed",
  "order.cancelled": "Order cancelled",
  "payment.completed": "Payment completed",
  "payment.failed": "Payment failed",
  "payment.refunded": "Payment refunded",
  "payment.disputed": "Payment disputed",
  "shipment.created": "Shipment created",
  "shipment.updated": "Shipment changed",
  "booking.created": "Booking made",
  "booking.rescheduled": "Booking moved",
  "booking.cancelled": "Booking cancelled",
  "subscription.renewed": "Subscription renewed",
  "subscription.cancelled": "Subscription ended",
  "inventory.low_stock": "Stock is low",
  "support.message_created": "Chat message",
};

export const eventOptions = Object.entries(eventNames).map(([value, name]) => ({ value, name }));

const isEventName = (text: string): text is EventName => text in eventNames;

export const toEventNames = (texts: readonly string[]): readonly EventName[] =>
  texts.filter(isEventName);

export const eventText = (name: EventName): string => eventNames[name] ?? name;

/** All webhooks of the shop: there are at most twenty. */
export function useWebhooks<R>(select: (webhooks: readonly Webhook[]) => R): UseQueryResult<R> {
  const { id, api } = useShop();
  return useQuery({
    queryKey: [id, "webhooks"],
    queryFn: async ({ signal }) => (await api.webhooks.list({ signal })).data,
    select,
  });
}

export const WebhookStatus = ({ webhook }: Readonly<{ webhook: Webhook }>) => (
  <>
    {webhook.status === "active" ? (
      <Badge tone="success">Active</Badge>
    ) : (
      <Badge tone="danger">Disabled</Badge>
    )}
    {webhook.secret_outdated && <Badge tone="warning">Rotate the secret</Badge>}
  </>
);
