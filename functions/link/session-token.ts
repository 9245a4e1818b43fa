import { jwtVerify, SignJWT } from "jose";
import { second } from "../../shared/kernel/index.ts";
import { type IssuedTokens, sessionTokenTtlMs } from "../../shared/link/index.ts";
import { runtime } from "../runtime/runtime.ts";
import { deriveSecret } from "../runtime/secrets.ts";
import type { Settings } from "../runtime/settings.ts";

const prefix = "lnk_";
const audience = "link";

/**
 * The claims of a valid session token. The session may have been revoked; only the database knows.
 */
export type SessionClaims = Readonly<{ sessionId: string; accountId: string }>;

const deriveSigningKey = async (settings: Settings): Promise<Uint8Array> =>
  new TextEncoder().encode(await deriveSecret(settings, "link session tokens"));

/** Signs a session_token: `lnk_` and a JWT that is valid for 60 minutes. */
export async function signSessionToken(
  settings: Settings,
  { sessionId, account, issuedAt }: Pick<IssuedTokens, "sessionId" | "account" | "issuedAt">,
): Promise<string> {
  const now = Math.floor(issuedAt / second);
  const token = await new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(account.id)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + sessionTokenTtlMs / second)
    .sign(await deriveSigningKey(settings));
  return prefix + token;
}

/** The token's claims; null for an invalid or expired token. */
export async function readSessionToken(
  settings: Settings,
  text: string,
): Promise<SessionClaims | null> {
  if (!text.startsWith(prefix)) return null;
  try {
    const { payload } = await jwtVerify(
      text.slice(prefix.length),
      await deriveSigningKey(settings),
      {
        algorithms: ["HS256"],
        audience,
        requiredClaims: ["sub", "sid", "iat", "exp"],
        currentDate: new Date(runtime.now()),
      },
    );
    return { sessionId: String(payload.sid), accountId: String(payload.sub) };
  } catch {
    return null; // forged, truncated or expired
  }
}
