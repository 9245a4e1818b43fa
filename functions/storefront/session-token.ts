import { parse } from "hono/utils/cookie";
import { jwtVerify, SignJWT } from "jose";
import { day, second } from "../../shared/kernel/index.ts";
import { type RequestContext, requireKey } from "../http/context.ts";
import { readSocketSessionToken } from "../http/sockets.ts";
import { runtime } from "../runtime/runtime.ts";
import { sessionLifetimeMs } from "../runtime/session-lifetime.ts";

const cookieName = "__Host-session";
const tokenHeader = "X-Session-Token";
/** A token older than this is signed again, so that a session in use never expires. */
const renewAfterMs = day;

/**
 * What a session's token says, in a cookie or in `X-Session-Token`. Only the session's Durable
 * Object knows whether the generation is still valid.
 */
export type SessionClaims = Readonly<{
  id: string;
  /** Every login and logout raises this number. A token with an earlier number is not accepted. */
  generation: number;
  /**
   * The generation in which the current customer first held this session. The conversation's id
   * depends on this number.
   */
  ownedSince: number;
  /** When the token was signed, and when it expires (epoch milliseconds). */
  issuedAt: number;
  expiresAt: number;
}>;

const readCookie = (c: RequestContext): string | undefined =>
  parse(c.req.header("cookie") ?? "", cookieName)[cookieName];

const readTokenHeader = (c: RequestContext): string | undefined =>
  c.req.header(tokenHeader) ?? readSocketSessionToken(c);

/** Whether the caller's client keeps the token by itself, and not in a cookie of the browser. */
const usesTokenHeader = (c: RequestContext): boolean =>
  readCookie(c) === undefined && readTokenHeader(c) !== undefined;

/** Whether the caller sent a session cookie, valid or not. */
export const hasSessionCookie = (c: RequestContext): boolean => readCookie(c) !== undefined;

/**
 * The session in the caller's cookie or, without a cookie, in its `X-Session-Token`
 * (docs/contract/conventions.md#session-token). Null when there is none, or when it was changed, has
 * expired or belongs to another business.
 */
export async function readSession(c: RequestContext): Promise<SessionClaims | null> {
  const token = readCookie(c) ?? readTokenHeader(c);
  if (token === undefined) return null;
  try {
    const { payload } = await jwtVerify(
      token,
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
    // An invalid token is treated as a missing one, so the caller gets a new session.
    return null;
  }
}

type NewClaims = Pick<SessionClaims, "id" | "generation" | "ownedSince">;

const createClaims = (): NewClaims => ({
  id: runtime.newId("ses"),
  generation: 0,
  ownedSince: 0,
});

/** Sends the token of a new anonymous session. The session's object stores nothing yet. */
export const startSession = async (c: RequestContext): Promise<SessionClaims> =>
  (await sendSession(c, createClaims())).session;

/** Signs a valid token again, at most once a day. So a session in use never expires. */
export const renewSession = async (
  c: RequestContext,
  session: SessionClaims,
): Promise<SessionClaims> =>
  runtime.now() - session.issuedAt < renewAfterMs
    ? session
    : (await sendSession(c, session)).session;

/** A session with its signed token. */
export type SignedSession = Readonly<{ session: SessionClaims; token: string }>;

/** Signs a session's token and sends it in the form that the caller uses: as cookie or as header. */
export async function sendSession(c: RequestContext, claims: NewClaims): Promise<SignedSession> {
  const signed = await signSession(c, claims);
  if (usesTokenHeader(c)) c.header(tokenHeader, signed.token);
  else writeCookieHeader(c, signed.token, sessionLifetimeMs / second);
  return signed;
}

/** Signs the token of a new anonymous session, and leaves it to the caller to send it. */
export const createSession = (c: RequestContext): Promise<SignedSession> =>
  signSession(c, createClaims());

async function signSession(
  c: RequestContext,
  { id, generation, ownedSince }: NewClaims,
): Promise<SignedSession> {
  const now = Math.floor(runtime.now() / second);
  const until = now + sessionLifetimeMs / second;
  const token = await new SignJWT({ gen: generation, own: ownedSince })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(id)
    .setAudience(requireKey(c).business.id)
    .setIssuedAt(now)
    .setExpirationTime(until)
    .sign(await loadSigningKey(c.get("settings").sessionSecret));
  const times = { issuedAt: now * second, expiresAt: until * second };
  return { session: { id, generation, ownedSince, ...times }, token };
}

/** Removes the cookie from the caller's browser. */
export function clearSessionCookie(c: RequestContext): void {
  if (!usesTokenHeader(c)) writeCookieHeader(c, "", 0);
}

function writeCookieHeader(c: RequestContext, value: string, maxAge: number): void {
  const attributes = "HttpOnly; Secure; SameSite=None; Partitioned";
  c.header("Set-Cookie", `${cookieName}=${value}; Path=/; Max-Age=${maxAge}; ${attributes}`);
}

// Caches keys instead of promises, because a promise may fail when its request is cancelled.
const signingKeys = new Map<string, CryptoKey>();

async function loadSigningKey(secret: string): Promise<CryptoKey> {
  const cached = signingKeys.get(secret);
  if (cached) return cached;
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
