import { second } from "../kernel/index.ts";

const pingEveryMs = 30 * second;
const silenceMs = 90 * second;

/** Whether somebody has not answered a ping for 90 seconds (interface.md, Support WebSocket). */
export const isSilent = (heardAt: number, now: number): boolean => now - heardAt >= silenceMs;

/** When to ping next: every 30 seconds, or earlier when somebody's silence will then be too long. */
export const nextPingAt = (now: number, heardAt: readonly number[]): number =>
  Math.min(now + pingEveryMs, ...heardAt.map((at) => Math.max(at + silenceMs, now + second)));
