import type { EventType } from "../events/index.ts";
import { iso, type Json } from "../kernel/index.ts";
import { maxDeliveryAttempts, nextAttemptAt } from "./retry-schedule.ts";
import type {
  DeliveryAttempt,
  RetiredSecret,
  WebhookDeliveryStatus,
  WebhookPayload,
} from "./webhook.ts";

/** The fields that a full payload adds to the data of an event. */
export type FullData = Readonly<Record<string, Json>>;

/** The platform of an order, and the address of the business at which its agent bought. */
export type DeliveredPlatform = Readonly<{ profileUrl: string; businessAddress: string }>;

export type DeliveredEvent = Readonly<{
  id: string;
  subjectId: string;
  sequence: number;
  type: EventType;
  data: Readonly<Record<string, unknown>>;
  createdAt: number;
  isTest: boolean;
}>;

/**
 * A webhook delivery that a run has claimed until `leaseUntil`, with its event and subscription.
 */
export type DueDelivery = Readonly<{
  id: string;
  leaseUntil: number;
  status: WebhookDeliveryStatus;
  attempts: readonly DeliveryAttempt[];
  firstAttemptAt: number | null;
  nextAttemptAt: number;
  event: DeliveredEvent;
  /**
   * What its full payload adds to the event's data; null until it is built, and while the
   * subscription is compact, because a key that may not read orders can change its URL then.
   */
  fullData: FullData | null;
  subscription: Readonly<{
    id: string;
    url: string;
    payload: WebhookPayload;
    secretGeneration: number;
    signingSecretId: string | null;
    retiredSecrets: readonly RetiredSecret[];
    failedAttempts: number;
    /** For a platform, which receives the orders of its agents; null for a merchant's subscription. */
    platform: DeliveredPlatform | null;
  }>;
}>;

/**
 * The outcome of an attempt. `error` is null for a 2xx response. It never contains text of the
 * receiver.
 */
export type SendOutcome = Readonly<{ statusCode: number | null; error: string | null }>;

/** What a run stores of a delivery at the end of its claim. */
export type DeliveryUpdate = Readonly<{
  id: string;
  leaseUntil: number;
  status: WebhookDeliveryStatus;
  attempts: readonly DeliveryAttempt[];
  firstAttemptAt: number | null;
  nextAttemptAt: number | null;
  /** Whether the receiver responded with a 2xx. Null when the delivery was not attempted. */
  wasDelivered: boolean | null;
  /** Whether the attempt failed and no retries are left. */
  exhaustedRetries: boolean;
}>;

/**
 * The body of a webhook (docs/contract/events.md#webhook-body). A platform receives the whole order
 * instead (docs/agents.md#order-webhooks).
 */
export const webhookBody = ({
  event: { id, subjectId, sequence, type, createdAt, data, isTest },
  fullData,
  subscription: { platform },
}: DueDelivery): string =>
  platform === null
    ? JSON.stringify({
        id,
        type,
        subject_id: subjectId,
        sequence,
        occurred_at: iso(createdAt),
        created_at: iso(createdAt),
        data: { ...data, ...fullData },
        ...(isTest && { test: true }),
      })
    : JSON.stringify(fullData);

/**
 * Whether a full payload has to be built first. A delivery that was attempted keeps its body, also
 * when its subscription has another payload by now.
 */
export const needsFullData = ({
  event: { type, isTest },
  fullData,
  firstAttemptAt,
  subscription: { payload, platform },
}: DueDelivery): boolean =>
  payload === "full" &&
  (hasFullData(type) || platform !== null) &&
  !isTest &&
  fullData === null &&
  firstAttemptAt === null;

/** Whether the events of this type have more data in a full payload. */
export const hasFullData = (type: EventType): boolean => type.startsWith("order.");

/** The update of a delivery that was not attempted. Only the lease ends. */
export const withoutAttempt = (delivery: DueDelivery): DeliveryUpdate => ({
  id: delivery.id,
  leaseUntil: delivery.leaseUntil,
  status: delivery.status,
  attempts: delivery.attempts,
  firstAttemptAt: delivery.firstAttemptAt,
  nextAttemptAt: delivery.nextAttemptAt,
  wasDelivered: null,
  exhaustedRetries: false,
});

/**
 * The update of a delivery after an attempt. A failed attempt is retried until no retries are left,
 * except for a test event.
 */
export function afterAttempt(
  delivery: DueDelivery,
  { statusCode, error }: SendOutcome,
  { at, durationMs }: { at: number; durationMs: number },
): DeliveryUpdate {
  const number = delivery.attempts.length + 1;
  const firstAt = delivery.firstAttemptAt ?? at;
  const retryAt = delivery.event.isTest
    ? null
    : nextAttemptAt({ count: number, firstAt, lastAt: at });
  const wasDelivered = error === null;
  return {
    id: delivery.id,
    leaseUntil: delivery.leaseUntil,
    status: wasDelivered ? "delivered" : number < maxDeliveryAttempts ? "failed" : "exhausted",
    attempts: [...delivery.attempts, { number, statusCode, error, durationMs, at }],
    firstAttemptAt: firstAt,
    nextAttemptAt: wasDelivered ? null : retryAt,
    wasDelivered,
    exhaustedRetries: !wasDelivered && number === maxDeliveryAttempts,
  };
}
