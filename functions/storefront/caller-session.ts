import { parse } from "hono/utils/cookie";
import { jwtVerify, SignJWT } from "jose";
import type { Login } from "../../shared/customers/index.ts";
import { day, second } from "../../shared/kernel/index.ts";
import {
  countObjectCall,
  publicAddressOf,
  type RequestContext,
  requireKey,
  unwrapReply,
} from "../http/context.ts";
import { fingerprintBody, readIdempotencyKey } from "../http/idempotency/idempotency-key.ts";
import { callerNetwork } from "../http/rate-limits/rate-limit.ts";
import type { Reply } from "../runtime/objects/calls.ts";
import type { IdempotentRequest } from "../runtime/objects/stored-responses.ts";
import { runtime } from "../runtime/runtime.ts";
import { sessionLifetimeMs } from "../runtime/session-lifetime.ts";
import type { StorefrontContext } from "./env.ts";
import type { SessionCall } from "./objects/cart-session/session.ts";
import type {
  SessionCallName,
  SessionInput,
  SessionResult,
  Stale,
} from "./objects/cart-session/session-calls.ts";

const cookieName = "__Host-session";
/** A cookie older than this is signed again, so that a session in use never expires. */
const renewAfterMs = day;

/**
 * The content of a session's cookie. Only the session's Durable Object knows whether the cookie's
 * generation is still valid.
 */
export type CookieSession = Readonly<{
  id: string;
  /** Every login and logout raises this number. A cookie with an earlier number is not accepted. */
  generation: number;
  /**
   * The generation in which the current customer first held this session. The conversation's id
   * depends on this number.
   */
  ownedSince: number;
  /** When the cookie was signed, and when it expires (epoch milliseconds). */
  issuedAt: number;
  expiresAt: number;
}>;

/**
 * The session in the caller's cookie. Null when the cookie is missing, was changed, or belongs to
 * another business.
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
    // An invalid cookie is treated as a missing one, so the caller gets a new session.
    return null;
  }
}

/** Sets the cookie of a new anonymous session. The session's object stores nothing yet. */
export const startSession = (c: RequestContext): Promise<CookieSession> =>
  setSessionCookie(c, { id: runtime.newId("ses"), generation: 0, ownedSince: 0 });

/** Signs a valid cookie again, at most once a day. So a session in use never expires. */
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

/** The part of a call to a session's object that is the same for every call. */
export const createSessionCall = (c: StorefrontContext): SessionCall => ({
  business: requireKey(c).business,
  requestId: c.get("requestId"),
  network: callerNetwork(c),
  address: publicAddressOf(c),
  idempotent: null,
});

/**
 * Makes a call of `sessionCalls` in the caller's session. A caller without a session gets one. A
 * cookie from before a login or logout gets a new anonymous session, which costs another object
 * call.
 *
 * @param repeatable the route and body that identify a repeated request with an Idempotency-Key.
 */
export async function callSession<N extends SessionCallName>(
  c: StorefrontContext,
  name: N,
  input: SessionInput<N>,
  repeatable: RepeatableRequest | null = null,
): Promise<SessionResult<N>> {
  return (await callAnySession(c, name, input, repeatable)).result;
}

/** As `callSession`, and returns the session that was called. */
export async function callAnySession<N extends SessionCallName>(
  c: StorefrontContext,
  name: N,
  input: SessionInput<N>,
  repeatable: RepeatableRequest | null = null,
): Promise<CalledSession<N>> {
  const session = (await readSession(c)) ?? (await startSession(c));
  const idempotent = repeatable && (await readIdempotentRequest(c, repeatable));
  const request = { name, call: { ...createSessionCall(c), idempotent }, input };
  const run = await countObjectCall(c, runOrStartOver(c, session, request));
  return { session: run.session, result: unwrapReply(c, run.reply) };
}

export type CalledSession<N extends SessionCallName> = Readonly<{
  session: CookieSession;
  result: SessionResult<N>;
}>;

/**
 * Makes a call in the existing session of the caller's cookie. Returns null when there is none, or
 * when the cookie is from before a login or logout, and starts no session.
 */
export async function callExistingSession<N extends SessionCallName>(
  c: StorefrontContext,
  name: N,
  input: SessionInput<N>,
  repeatable: RepeatableRequest | null = null,
): Promise<CalledSession<N> | null> {
  const session = await readSession(c);
  if (session === null) return null;
  const idempotent = repeatable && (await readIdempotentRequest(c, repeatable));
  const request = { name, call: { ...createSessionCall(c), idempotent }, input };
  const result = await countObjectCall(c, runInSession(c, session, request));
  if (result === "stale") return null;
  return { session: result.session, result: unwrapReply(c, result.reply) };
}

/** The login of the caller's session. Null when the caller has no session or is not logged in. */
export async function loadLogin(c: StorefrontContext): Promise<Login | null> {
  return (await callExistingSession(c, "getLogin", null))?.result ?? null;
}

type SessionRequest<N extends SessionCallName> = Readonly<{
  name: N;
  call: SessionCall;
  input: SessionInput<N>;
}>;

type SessionRun<N extends SessionCallName> = Readonly<{
  session: CookieSession;
  reply: Reply<SessionResult<N>>;
}>;

async function runOrStartOver<N extends SessionCallName>(
  c: StorefrontContext,
  session: CookieSession,
  request: SessionRequest<N>,
): Promise<SessionRun<N>> {
  const result = await runInSession(c, session, request);
  if (result !== "stale") return result;
  c.get("meter").do += 1;
  const restarted = await runInSession(c, await startSession(c), request);
  if (restarted === "stale") throw new Error("A session was stale before its first use.");
  return restarted;
}

/** Calls a session's object, and renews the cookie when the session accepted it. */
async function runInSession<N extends SessionCallName>(
  c: StorefrontContext,
  session: CookieSession,
  { name, call, input }: SessionRequest<N>,
): Promise<SessionRun<N> | Stale> {
  const object = c.env.CART_SESSION.getByName(session.id);
  const reply = await object.run(session.generation, name, call, input);
  return reply === "stale" ? reply : { session: await renewSession(c, session), reply };
}

type RepeatableRequest = Readonly<{ route: string; body: unknown }>;

/** The request's Idempotency-Key with its route and body. Null without an Idempotency-Key. */
async function readIdempotentRequest(
  c: StorefrontContext,
  { route, body }: RepeatableRequest,
): Promise<IdempotentRequest | null> {
  const key = readIdempotencyKey(c);
  return key === null ? null : { route, key, fingerprint: await fingerprintBody(body) };
}
