import { generateToken, hmacSha256, Refusal, sha256 } from "../kernel/index.ts";
import type { LinkContext } from "./context.ts";
import { rotateRefreshToken } from "./refresh-token-repo.ts";
import { type IssuedTokens, toRefreshToken } from "./session.ts";

export type RefreshRequest = Readonly<{
  refreshToken: string;
  /** The request's Idempotency-Key, which makes a repeat possible; null without one. */
  requestKey: string | null;
  /** The deployment's secret, from which the successor is derived with token and key. */
  secret: string;
}>;

/**
 * Exchanges a refresh token for the session's next tokens (docs/contract/link.md#link-refresh). A
 * token works once; using it again revokes its session, because it may be stolen. With an
 * Idempotency-Key a repeat returns the same tokens until they are used.
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
