import { day, hour, minute } from "../kernel/index.ts";

/** The lifetimes of a login at the console (docs/contract/members.md#console-session). */
const idleTtlMs = 12 * hour;
export const consoleSessionTtlMs = 30 * day;

/** How exactly the use of a session is stored, because a write on every call would be expensive. */
const usePrecisionMs = minute;

export type ConsoleUser = Readonly<{
  id: string;
  email: string;
  name: string | null;
  isOperator: boolean;
}>;

/** A login that has not ended, with its user. */
export type ConsoleSession = Readonly<{
  tokenHash: string;
  user: ConsoleUser;
  createdAt: number;
  expiresAt: number;
}>;

/** When a session ends that is used now, in epoch milliseconds. */
export const expiryAfterUse = (createdAt: number, now: number): number =>
  Math.min(now + idleTtlMs, createdAt + consoleSessionTtlMs);

/** Whether the stored expiry is old enough to be extended. */
export const shouldExtend = (
  { createdAt, expiresAt }: Pick<ConsoleSession, "createdAt" | "expiresAt">,
  now: number,
): boolean => expiryAfterUse(createdAt, now) - expiresAt >= usePrecisionMs;
