import { day, minute } from "../kernel/index.ts";

/** The delay after each failed payment. Retries follow 1, 3 and 5 days after the first failure. */
const dunningDelaysMs: readonly number[] = [1 * day, 2 * day, 2 * day];

/** How often the payment of a period may fail before the subscription is cancelled. */
export const maxPaymentAttempts = dunningDelaysMs.length + 1;

/** When a failed payment is retried, in epoch milliseconds. */
export const paymentRetryAt = ({
  attempts,
  failedAt,
}: Readonly<{ attempts: number; failedAt: number | null }>): number =>
  (failedAt ?? 0) + (dunningDelaysMs[attempts - 1] ?? 0);

/** How long a run has for a claimed subscription, including a slow provider. */
export const renewalLeaseMs = 5 * minute;

/** The shortest delay before a provider that did not respond is queried again. */
const minProviderRetryMs = 5 * minute;

/** How long a provider may stay silent. After that the payment attempt counts as failed. */
const maxProviderSilenceMs = day;

/**
 * When to query a provider again that has been silent since `unansweredSince`. The delay doubles
 * each time, up to a day.
 */
export function providerRetryAt(unansweredSince: number, now: number): number {
  const silenceMs = now - unansweredSince;
  const maxDelayMs =
    silenceMs < maxProviderSilenceMs ? maxProviderSilenceMs - silenceMs : maxProviderSilenceMs;
  return now + Math.min(Math.max(silenceMs, minProviderRetryMs), maxDelayMs);
}

/** Whether the provider has not responded for a day. */
export const isProviderSilentTooLong = (
  { unansweredSince }: Readonly<{ unansweredSince: number | null }>,
  now: number,
): boolean => unansweredSince !== null && now - unansweredSince >= maxProviderSilenceMs;
