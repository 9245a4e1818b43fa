import { day, minute } from "../kernel/index.ts";
import type { LinkAccount } from "./account.ts";
import type { LinkContact } from "./contacts/contact.ts";

/** The lifetimes of Link's tokens (docs/contract/link.md#link-token-lifetimes). */
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

/** The device and the country from which somebody logs in. */
export type LoginDevice = Readonly<{ device: string | null; country: string | null }>;

/**
 * The tokens of a session: the refresh token, and what the Worker needs to sign a session token.
 */
export type IssuedTokens = Readonly<{
  sessionId: string;
  account: LinkAccount;
  refreshToken: string;
  /** When the tokens were first issued; a repeated request returns the same time. */
  issuedAt: number;
}>;

export const toRefreshToken = (secret: string): string => `rfr_${secret}`;
