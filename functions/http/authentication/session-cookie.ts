import { parse } from "hono/utils/cookie";
import { jwtVerify, SignJWT } from "jose";
import { day, second } from "../../../shared/kernel/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import { sessionLifetimeMs } from "../../runtime/session-lifetime.ts";
import type { RequestContext } from "../api-env.ts";
import { requireKey } from "../context.ts";

const cookieName = "__Host-session";
/** An older cookie is signed again, so that a session in use never expires. */
const renewAfterMs = day;

/**
 * A session as its cookie names it. Only the session's object knows whether its generation is
 * current.
 */
export type CookieSession = Readonly<{
  id: string;
  /**
   * Raised by every login and logout; a cookie of an earlier generation no longer opens the
   * session.
   */
  generation: number;
  /**
   * The generation at which the session got its current customer; it is part of the conversation's
   * id.
   */
  ownedSince: number;
  /** When the cookie was signed, and when it expires (epoch milliseconds). */
  issuedAt: number;
  expiresAt: number;
}>;

/**
 * The session of the caller's cookie; null without one, or with one that was tampered with or
 * belongs to another business.
 */
export async function readSession(c: RequestContext): Promise<CookieSession | null> {
  const cookie = parse(c.req.header("cookie") ?? "", cookieName)[cookieName];
  if (cookie === undefined) return null;
  try {
    const { payload } = await jwtVerify(
      cookie,
      await loadSigningKey(c.get("settings").sessionSecret),
      {
        algorithms: ["HS256"],
        audience: requireKey(c).business.id,
        requiredClaims: ["sub", "iat", "exp"],
        currentDate: new Date(runtime.now()),
      },
    );
    const { sub, gen = 0, own = 0, iat, exp } = payload;
    return {
      id: String(sub),
      generation: Number(gen),
      ownedSince: Number(own),
      issuedAt: Number(iat) * second,
      expiresAt: Number(exp) * second,
    };
  } catch {
    return null; // an invalid cookie counts as none, and the caller gets a new session
  }
}

/** Sets the cookie of a new anonymous session. Nothing is stored for it yet. */
export const startSession = (c: RequestContext): Promise<CookieSession> =>
  setSessionCookie(c, { id: runtime.newId("ses"), generation: 0, ownedSince: 0 });

/** Signs a valid session again, at most once a day, so that a session in use never expires. */
export const renewSession = async (
  c: RequestContext,
  session: CookieSession,
): Promise<CookieSession> =>
  runtime.now() - session.issuedAt < renewAfterMs ? session : setSessionCookie(c, session);

/** Signs a session's cookie and sets it. */
export async function setSessionCookie(
  c: RequestContext,
  { id, generation, ownedSince }: Pick<CookieSession, "id" | "generation" | "ownedSince">,
): Promise<CookieSession> {
  const now = Math.floor(runtime.now() / second);
  const until = now + sessionLifetimeMs / second;
  const token = await new SignJWT({ gen: generation, own: ownedSince })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(id)
    .setAudience(requireKey(c).business.id)
    .setIssuedAt(now)
    .setExpirationTime(until)
    .sign(await loadSigningKey(c.get("settings").sessionSecret));
  writeCookieHeader(c, token, sessionLifetimeMs / second);
  return { id, generation, ownedSince, issuedAt: now * second, expiresAt: until * second };
}

/** Removes the cookie from the caller's browser. */
export const clearSessionCookie = (c: RequestContext): void => writeCookieHeader(c, "", 0);

function writeCookieHeader(c: RequestContext, value: string, maxAge: number): void {
  const attributes = "HttpOnly; Secure; SameSite=None; Partitioned";
  c.header("Set-Cookie", `${cookieName}=${value}; Path=/; Max-Age=${maxAge}; ${attributes}`);
}

// Holds keys instead of promises, because a promise may die with the request that made it.
const signingKeys = new Map<string, CryptoKey>();

async function loadSigningKey(secret: string): Promise<CryptoKey> {
  const known = signingKeys.get(secret);
  if (known) return known;
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign", "verify"],
  );
  signingKeys.set(secret, key);
  return key;
}
