import { generateToken, hmacSha256, Refusal, sha256 } from "../kernel/index.ts";
import type { LinkContext } from "./context.ts";
import { rotateRefreshToken } from "./refresh-token-repo.ts";
import { type IssuedTokens, toRefreshToken } from "./session.ts";

export type RefreshRequest = Readonly<{
  refreshToken: string;
  /** The request's Idempotency-Key. Without one (null) the request cannot be repeated. */
  requestKey: string | null;
  /**
   * The deployment's secret. With an Idempotency-Key, the next refresh token is derived from this
   * secret, the used token and the key.
   */
  secret: string;
}>;

/**
 * Exchanges a refresh token for the session's next tokens (docs/contract/link.md#link-refresh).
 * Using a token twice revokes the session, because the token may be stolen. A repeat with the same
 * Idempotency-Key is allowed until the next token is used.
 *
 * @throws Refusal UNAUTHORIZED, the same for a used, expired, revoked or unknown token.
 */
export async function refreshSession(
  ctx: LinkContext,
  { refreshToken, requestKey, secret }: RefreshRequest,
): Promise<IssuedTokens & Readonly<{ isRepeat: boolean }>> {
  const next = toRefreshToken(
    requestKey === null
      ? generateToken(ctx.randomBytes)
      : await hmacSha256(secret, JSON.stringify([refreshToken, requestKey])),
  );
  const [usedHash, nextHash] = await Promise.all([sha256(refreshToken), sha256(next)]);
  const rotated = await rotateRefreshToken(ctx.db, { used: usedHash, next: nextHash }, ctx.now());
  if (rotated) return { ...rotated, refreshToken: next };
  throw new Refusal({
    code: "UNAUTHORIZED",
    message: "The refresh token is used, expired, revoked or unknown. Log in again.",
  });
}
