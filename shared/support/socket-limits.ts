import { second } from "../kernel/index.ts";

const maxFramesPerSecond = 10;
const pingIntervalMs = 30 * second;
const pongTimeoutMs = 90 * second;

/**
 * Adds a frame to the times of a socket's recent frames. Returns null when it exceeds ten frames in
 * the second before it (docs/contract/events.md#support-close-codes).
 */
export function withFrameTime(times: readonly number[], now: number): readonly number[] | null {
  const recent = times.filter((at) => now - at < second && at <= now);
  return recent.length < maxFramesPerSecond ? [...recent, now] : null;
}

/** Whether no ping was answered for 90 seconds (docs/contract/events.md#support-keep-alive). */
export const isPongOverdue = (lastPongAt: number, now: number): boolean =>
  now - lastPongAt >= pongTimeoutMs;

/** The time of the next ping: in 30 seconds, or earlier when a pong becomes overdue before that. */
export const nextPingAt = (now: number, lastPongTimes: readonly number[]): number =>
  Math.min(
    now + pingIntervalMs,
    ...lastPongTimes.map((at) => Math.max(at + pongTimeoutMs, now + second)),
  );
