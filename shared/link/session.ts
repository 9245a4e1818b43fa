import { day, minute } from "../kernel/index.ts";
import type { LinkAccount, LinkContact } from "./account.ts";

/** docs/contract/link.md#link-token-lifetimes. */
export const sessionTokenTtlMs = 60 * minute;
export const refreshTokenTtlMs = 30 * day;

export type LinkSession = Readonly<{
  id: string;
  accountId: string;
  device: string | null;
  country: string | null;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
}>;

/** A session that is neither expired nor revoked, with its account. */
export type ActiveLinkSession = Readonly<{
  session: LinkSession;
  account: LinkAccount;
  contacts: readonly LinkContact[];
}>;

/** Where a login comes from. */
export type LoginDevice = Readonly<{ device: string | null; country: string | null }>;

/** A session's new refresh token, and the data of its session token, which the Worker signs. */
export type IssuedTokens = Readonly<{
  sessionId: string;
  account: LinkAccount;
  refreshToken: string;
  /** When the tokens were first issued. */
  issuedAt: number;
}>;

export const toRefreshToken = (secret: string): string => `rfr_${secret}`;
