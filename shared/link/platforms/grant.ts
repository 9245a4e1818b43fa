import {
  day,
  generateToken,
  hmacSha256,
  hour,
  type Runtime,
  second,
  sha256,
} from "../../kernel/index.ts";

export const platformTokenKinds = ["access", "refresh"] as const;
export type PlatformTokenKind = (typeof platformTokenKinds)[number];

export const authorizationCodeTtlMs = 60 * second;
export const platformAccessTtlMs = hour;
export const platformRefreshTtlMs = 30 * day;

/** The scopes that an owner can allow a platform (docs/agents.md#scopes). */
export const platformScopes = [
  "dev.ucp.shopping.order:read",
  "dev.ucp.shopping.checkout:manage",
] as const;
export type PlatformScope = (typeof platformScopes)[number];

export const isPlatformScope = (text: string): text is PlatformScope =>
  platformScopes.some((scope) => scope === text);

/** What a platform may do for the owner of an account at one business. */
export type PlatformGrant = Readonly<{
  id: string;
  businessId: string;
  accountId: string;
  customerId: string;
  clientId: string;
  clientName: string;
  scopes: readonly string[];
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
}>;

/** The access token and the refresh token that a grant's platform gets together. */
export type PlatformTokens = Readonly<{ access: string; refresh: string }>;

/** The digests under which a pair of tokens is stored. */
export type TokenHashes = Readonly<{ access: string; refresh: string }>;

/** What tells a repeated request from another one with the same credential. */
export type TokenRequest = Readonly<{
  /** The request's Idempotency-Key. Without one (null) the request cannot be repeated. */
  requestKey: string | null;
  /** The deployment's secret, from which tokens of a request with a key are derived. */
  secret: string;
}>;

/**
 * The next tokens for a code or a refresh token. With an Idempotency-Key they follow from it, so
 * that a repeated request returns the same ones.
 */
export async function nextTokens(
  { randomBytes }: Pick<Runtime, "randomBytes">,
  used: string,
  { requestKey, secret }: TokenRequest,
): Promise<PlatformTokens> {
  const createSecret = (kind: PlatformTokenKind) =>
    requestKey === null
      ? generateToken(randomBytes)
      : hmacSha256(secret, JSON.stringify([kind, used, requestKey]));
  const [access, refresh] = await Promise.all([createSecret("access"), createSecret("refresh")]);
  return { access: `lpa_${access}`, refresh: `lpr_${refresh}` };
}

export async function hashTokens({ access, refresh }: PlatformTokens): Promise<TokenHashes> {
  const [accessHash, refreshHash] = await Promise.all([sha256(access), sha256(refresh)]);
  return { access: accessHash, refresh: refreshHash };
}
