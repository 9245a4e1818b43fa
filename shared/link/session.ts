import { day, minute } from "../kernel/index.ts";
import type { LinkAccount, LinkContact } from "./account.ts";

/** completions.md 13. */
export const sessionTokenLifetimeMs = 60 * minute;
export const refreshTokenLifetimeMs = 30 * day;

export type LinkSession = Readonly<{
  id: string;
  accountId: string;
  device: string | null;
  country: string | null;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
}>;

/** A session that is in force, with the account whose it is. */
export type OpenSession = Readonly<{
  session: LinkSession;
  account: LinkAccount;
  contacts: readonly LinkContact[];
}>;

/** From where somebody logs in. */
export type Device = Readonly<{ device: string | null; country: string | null }>;

/** A session's next pair of tokens: the one to sign, and the one to hand over as it is. */
export type IssuedTokens = Readonly<{
  sessionId: string;
  account: LinkAccount;
  refreshToken: string;
  /** When they were issued, also for a repeat. */
  issuedAt: number;
}>;
