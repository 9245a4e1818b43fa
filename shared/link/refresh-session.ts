import { hmacSha256, newToken, Refusal, sha256 } from "../kernel/index.ts";
import type { LinkContext } from "./context.ts";
import { newRefreshToken } from "./log-in.ts";
import { rotateToken } from "./rotate-token-repo.ts";
import type { IssuedTokens } from "./session.ts";

export type RefreshRequest = Readonly<{
  refreshToken: string;
  /** The request's Idempotency-Key, by which a repeat after a lost answer is known; null without. */
  requestKey: string | null;
  /** The deployment's: without it nobody can tell the successor from token and key. */
  secret: string;
}>;

/**
 * Takes a refresh token and gives the session's next pair (completions.md 13). A token works once.
 * Used again it ends its session, since of the two who had it one is a thief, and nothing tells
 * which; so a client whose answer was lost logs in anew, unless it had sent an Idempotency-Key:
 * its repeat gets the same successor, until that one was used.
 *
 * @throws Refusal UNAUTHORIZED, the same for a used, expired, revoked or unknown token.
 */
export async function refreshSession(
  ctx: LinkContext,
  { refreshToken, requestKey, secret }: RefreshRequest,
): Promise<IssuedTokens & Readonly<{ isRepeat: boolean }>> {
  const next = newRefreshToken(
    requestKey === null
      ? newToken(ctx.random)
      : await hmacSha256(secret, JSON.stringify([refreshToken, requestKey])),
  );
  const [usedHash, nextHash] = await Promise.all([sha256(refreshToken), sha256(next)]);
  const rotated = await rotateToken(ctx.db, { used: usedHash, next: nextHash }, ctx.now());
  if (rotated) return { ...rotated, refreshToken: next };
  throw new Refusal({
    code: "UNAUTHORIZED",
    message: "The refresh token is used, expired, revoked or unknown; log in again.",
  });
}
