import { sha256 } from "../../kernel/index.ts";
import type { LinkContext } from "../context.ts";
import {
  hashTokens,
  nextTokens,
  type PlatformGrant,
  type PlatformTokens,
  type TokenRequest,
} from "./grant.ts";
import {
  type CodeProof,
  type PlatformClient,
  redeemAuthorizationCode,
  rotatePlatformToken,
} from "./token-repo.ts";

export type IssuedPlatformTokens = Readonly<{ grant: PlatformGrant; tokens: PlatformTokens }>;

export type CodeRedemption = Omit<CodeProof, "codeHash" | "codeChallenge"> &
  TokenRequest &
  Readonly<{ code: string; codeVerifier: string }>;

/** Exchanges an authorization code for the grant's first tokens. Null when the code does not work. */
export async function exchangeAuthorizationCode(
  ctx: LinkContext,
  { code, codeVerifier, redirectUri, businessId, clientId, ...request }: CodeRedemption,
): Promise<IssuedPlatformTokens | null> {
  const [tokens, codeHash, codeChallenge] = await Promise.all([
    nextTokens(ctx, code, request),
    sha256(code),
    challengeOf(codeVerifier),
  ]);
  const proof = { codeHash, codeChallenge, redirectUri, businessId, clientId };
  const hashes = await hashTokens(tokens);
  const grant = await redeemAuthorizationCode(ctx.db, proof, hashes, ctx.now());
  return grant && { grant, tokens };
}

export type TokenRefresh = PlatformClient & TokenRequest & Readonly<{ refreshToken: string }>;

/** Exchanges a refresh token, which works once, for the next tokens. Null when it does not work. */
export async function refreshPlatformTokens(
  ctx: LinkContext,
  { refreshToken, businessId, clientId, ...request }: TokenRefresh,
): Promise<IssuedPlatformTokens | null> {
  const [tokens, used] = await Promise.all([
    nextTokens(ctx, refreshToken, request),
    sha256(refreshToken),
  ]);
  const hashes = await hashTokens(tokens);
  const client = { used, businessId, clientId };
  const grant = await rotatePlatformToken(ctx.db, client, hashes, ctx.now());
  return grant && { grant, tokens };
}

/** The S256 challenge of a PKCE verifier (RFC 7636): its SHA-256 digest in base64url. */
async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
