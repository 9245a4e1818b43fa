import { jwtVerify, SignJWT } from "jose";
import { second } from "../../shared/kernel/index.ts";
import { type IssuedTokens, sessionTokenLifetimeMs } from "../../shared/link/index.ts";
import { chance } from "../runtime/runtime.ts";
import { secretFor } from "../runtime/secrets.ts";
import type { Settings } from "../runtime/settings.ts";

const prefix = "lnk_";
const audience = "link";

/** What a session token says, once its signature and its time hold; whether the session does, the database says. */
export type SessionClaims = Readonly<{ sessionId: string; accountId: string }>;

const keyOf = async (settings: Settings): Promise<Uint8Array> =>
  new TextEncoder().encode(await secretFor(settings, "link session tokens"));

/** A session_token: `lnk_` and a signed token of 60 minutes (completions.md 13). */
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
    .setExpirationTime(now + sessionTokenLifetimeMs / second)
    .sign(await keyOf(settings));
  return prefix + token;
}

/** Null for what was not signed here, and for what is over. */
export async function readSessionToken(
  settings: Settings,
  text: string,
): Promise<SessionClaims | null> {
  if (!text.startsWith(prefix)) return null;
  try {
    const { payload } = await jwtVerify(text.slice(prefix.length), await keyOf(settings), {
      algorithms: ["HS256"],
      audience,
      requiredClaims: ["sub", "sid", "iat", "exp"],
      currentDate: new Date(chance.now()),
    });
    return { sessionId: String(payload.sid), accountId: String(payload.sub) };
  } catch {
    return null; // forged, cut short or expired: the caller is nobody
  }
}
