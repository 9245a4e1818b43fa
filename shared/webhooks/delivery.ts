import { type EventType, iso } from "../kernel/index.ts";
import { nextAttemptAt } from "./retry-schedule.ts";
import type { DeliveryAttempt, DeliveryStatus, SubscriptionStatus } from "./webhook.ts";

/** A delivery whose time has come, with what it takes to make it. */
export type DueDelivery = Readonly<{
  id: string;
  attempts: readonly DeliveryAttempt[];
  firstAttemptAt: number | null;
  event: Readonly<{
    id: string;
    type: EventType;
    data: Readonly<Record<string, unknown>>;
    createdAt: number;
  }>;
  subscription: Readonly<{
    id: string;
    url: string;
    status: SubscriptionStatus;
    secretGeneration: number;
    previousSecretUntil: number | null;
    deletedAt: number | null;
  }>;
}>;

/** What came of an attempt: no error is a 2xx; a word, never the receiver's text, otherwise. */
export type SendOutcome = Readonly<{ statusCode: number | null; error: string | null }>;

/** How a delivery stands after an attempt. */
export type SettledDelivery = Readonly<{
  id: string;
  status: DeliveryStatus;
  attempts: readonly DeliveryAttempt[];
  firstAttemptAt: number | null;
  nextAttemptAt: number | null;
}>;

/** The delivered body (interface.md, Webhook events). */
export const bodyOf = ({ id, type, createdAt, data }: DueDelivery["event"]): string =>
  JSON.stringify({ id, type, created_at: iso(createdAt), data });

/** The generations of the secret that sign at this time, the current one first. */
export const signingGenerations = (
  { secretGeneration, previousSecretUntil }: DueDelivery["subscription"],
  now: number,
): readonly [number, ...number[]] =>
  previousSecretUntil !== null && previousSecretUntil > now
    ? [secretGeneration, secretGeneration - 1]
    : [secretGeneration];

export const isReceiving = ({ status, deletedAt }: DueDelivery["subscription"]): boolean =>
  status === "active" && deletedAt === null;

/** Ends a delivery that nobody wants any more: its subscription was deleted or disabled meanwhile. */
export const abandoned = ({ id, attempts, firstAttemptAt }: DueDelivery): SettledDelivery => ({
  id,
  status: "failed",
  attempts,
  firstAttemptAt,
  nextAttemptAt: null,
});

/** An attempt's place in the delivery's life: delivered, ended by 410, to be retried, or out of retries. */
export function settle(
  delivery: DueDelivery,
  { statusCode, error }: SendOutcome,
  { at, durationMs }: { at: number; durationMs: number },
): SettledDelivery {
  const number = delivery.attempts.length + 1;
  const firstAttemptAt = delivery.firstAttemptAt ?? at;
  const attempts = [...delivery.attempts, { number, statusCode, error, durationMs, at }];
  const ended = (status: DeliveryStatus): SettledDelivery => {
    return { id: delivery.id, status, attempts, firstAttemptAt, nextAttemptAt: null };
  };
  if (error === null) return ended("delivered");
  if (statusCode === 410) return ended("failed");
  const next = nextAttemptAt({ count: number, firstAt: firstAttemptAt, lastAt: at });
  return next === null ? ended("exhausted") : { ...ended("pending"), nextAttemptAt: next };
}
