import { second } from "../kernel/index.ts";

const maxFramesPerSecond = 10;
export const pingIntervalMs = 30 * second;
const pongTimeoutMs = 90 * second;

/**
 * Adds a frame to the times of a socket's recent frames. Returns null when the socket has already
 * sent ten frames within a second (docs/contract/events.md#support-close-codes).
 */
export function withFrameTime(times: readonly number[], now: number): readonly number[] | null {
  const recent = times.filter((at) => now - at < second && at <= now);
  return recent.length < maxFramesPerSecond ? [...recent, now] : null;
}

/**
 * Whether the last pong is at least 90 seconds ago (docs/contract/events.md#support-keep-alive).
 */
export const isPongOverdue = (lastPongAt: number, now: number): boolean =>
  now - lastPongAt >= pongTimeoutMs;

/**
 * When to ping next: in 30 seconds, or earlier when a socket's pong will be overdue before then.
 */
export const nextPingAt = (now: number, lastPongTimes: readonly number[]): number =>
  Math.min(
    now + pingIntervalMs,
    ...lastPongTimes.map((at) => Math.max(at + pongTimeoutMs, now + second)),
  );
