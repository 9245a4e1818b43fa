import type { EventType } from "../events/index.ts";
import { iso } from "../kernel/index.ts";
import { maxAttempts, nextAttemptAt } from "./retry-schedule.ts";
import type { DeliveryAttempt, DeliveryStatus, RetiredSecret } from "./webhook.ts";

/** What a receiver is told of. */
export type DeliveredEvent = Readonly<{
  id: string;
  type: EventType;
  data: Readonly<Record<string, unknown>>;
  createdAt: number;
  isTest: boolean;
}>;

/** A delivery whose time has come, with what it takes to make it, in hand until its lease ends. */
export type DueDelivery = Readonly<{
  id: string;
  leaseUntil: number;
  status: DeliveryStatus;
  attempts: readonly DeliveryAttempt[];
  firstAttemptAt: number | null;
  nextAttemptAt: number;
  event: DeliveredEvent;
  subscription: Readonly<{
    id: string;
    url: string;
    secretGeneration: number;
    retiredSecrets: readonly RetiredSecret[];
    failedAttempts: number;
  }>;
}>;

/** What came of an attempt: no error is a 2xx; a word, never the receiver's text, otherwise. */
export type SendOutcome = Readonly<{ statusCode: number | null; error: string | null }>;

/** How a delivery stands when it is put down again. */
export type SettledDelivery = Readonly<{
  id: string;
  leaseUntil: number;
  status: DeliveryStatus;
  attempts: readonly DeliveryAttempt[];
  firstAttemptAt: number | null;
  nextAttemptAt: number | null;
  /** What it says of the receiver: whether it answered a 2xx; null when nobody asked it. */
  hasArrived: boolean | null;
  /** Whether an event used up its retries with it. */
  usedUp: boolean;
}>;

/** The delivered body (interface.md, Webhook events); an example that the merchant asked for says so. */
export const bodyOf = ({ id, type, createdAt, data, isTest }: DeliveredEvent): string =>
  JSON.stringify({ id, type, created_at: iso(createdAt), data, ...(isTest && { test: true }) });

/** The generations of the secret that sign at this time, the current one first. */
export const signingGenerations = (
  { secretGeneration, retiredSecrets }: DueDelivery["subscription"],
  now: number,
): readonly [number, ...number[]] => [
  secretGeneration,
  ...retiredSecrets.filter(({ until }) => until > now).map(({ generation }) => generation),
];

/** A delivery that was taken in hand and not attempted: it stands as before. */
export const putBack = (delivery: DueDelivery): SettledDelivery => ({
  id: delivery.id,
  leaseUntil: delivery.leaseUntil,
  status: delivery.status,
  attempts: delivery.attempts,
  firstAttemptAt: delivery.firstAttemptAt,
  nextAttemptAt: delivery.nextAttemptAt,
  hasArrived: null,
  usedUp: false,
});

/** An attempt's place in the delivery's life: delivered, to be retried, or out of retries. An example has none. */
export function settle(
  delivery: DueDelivery,
  { statusCode, error }: SendOutcome,
  { at, durationMs }: { at: number; durationMs: number },
): SettledDelivery {
  const number = delivery.attempts.length + 1;
  const firstAt = delivery.firstAttemptAt ?? at;
  const next = delivery.event.isTest ? null : nextAttemptAt({ count: number, firstAt, lastAt: at });
  const hasArrived = error === null;
  return {
    id: delivery.id,
    leaseUntil: delivery.leaseUntil,
    status: hasArrived ? "delivered" : number < maxAttempts ? "failed" : "exhausted",
    attempts: [...delivery.attempts, { number, statusCode, error, durationMs, at }],
    firstAttemptAt: firstAt,
    nextAttemptAt: hasArrived ? null : next,
    hasArrived,
    usedUp: !hasArrived && number === maxAttempts,
  };
}
