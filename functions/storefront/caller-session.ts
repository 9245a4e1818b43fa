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
import { toSentBusiness } from "../runtime/objects/sent-business.ts";
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
import {
  readSessionToken,
  sessionCookieName,
  sessionTokenHeader,
  usesTokenHeader,
} from "./session-token.ts";

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
  /**
   * Whether the session began with its conversation. Its object then learns of the conversation
   * with the first login or logout, before which nothing has to ask or notify the session.
   */
  beganWithConversation: boolean;
  /** When the token was signed, and when it expires (epoch milliseconds). */
  issuedAt: number;
  expiresAt: number;
}>;

/**
 * The session in the caller's cookie or, without a cookie, in its `X-Session-Token`
 * (docs/contract/conventions.md#session-token). Null when there is none, or when it was changed, has
 * expired or belongs to another business.
 */
export async function readSession(c: RequestContext): Promise<SessionClaims | null> {
  const token = readSessionToken(c);
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
    const { sub, gen = 0, own = 0, con = false, iat, exp } = payload;
    return {
      id: String(sub),
      generation: Number(gen),
      ownedSince: Number(own),
      beganWithConversation: con === true,
      issuedAt: Number(iat) * second,
      expiresAt: Number(exp) * second,
    };
  } catch {
    // An invalid token is treated as a missing one, so the caller gets a new session.
    return null;
  }
}

type NewClaims = Pick<SessionClaims, "id" | "generation" | "ownedSince"> &
  Partial<Pick<SessionClaims, "beganWithConversation">>;

const createClaims = (): NewClaims => ({
  id: runtime.newId("ses"),
  generation: 0,
  ownedSince: 0,
});

/** Sends the token of a new anonymous session. The session's object stores nothing yet. */
export const startSession = async (
  c: RequestContext,
  { beganWithConversation = false } = {},
): Promise<SessionClaims> =>
  (await sendSession(c, { ...createClaims(), beganWithConversation })).session;

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
  if (usesTokenHeader(c)) c.header(sessionTokenHeader, signed.token);
  else writeCookieHeader(c, signed.token, sessionLifetimeMs / second);
  return signed;
}

/** Signs the token of a new anonymous session, and leaves it to the caller to send it. */
export const createSession = (c: RequestContext): Promise<SignedSession> =>
  signSession(c, createClaims());

/** Signs a session's token, and leaves it to the caller to send it. */
export async function signSession(
  c: RequestContext,
  { id, generation, ownedSince, beganWithConversation = false }: NewClaims,
): Promise<SignedSession> {
  const now = Math.floor(runtime.now() / second);
  const until = now + sessionLifetimeMs / second;
  const conversation = beganWithConversation ? { con: true } : {};
  const token = await new SignJWT({ gen: generation, own: ownedSince, ...conversation })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(id)
    .setAudience(requireKey(c).business.id)
    .setIssuedAt(now)
    .setExpirationTime(until)
    .sign(await loadSigningKey(c.get("settings").sessionSecret));
  const times = { issuedAt: now * second, expiresAt: until * second };
  return { session: { id, generation, ownedSince, beganWithConversation, ...times }, token };
}

/** Removes the cookie from the caller's browser. */
export function clearSessionCookie(c: RequestContext): void {
  if (!usesTokenHeader(c)) writeCookieHeader(c, "", 0);
}

function writeCookieHeader(c: RequestContext, value: string, maxAge: number): void {
  const attributes = "HttpOnly; Secure; SameSite=None; Partitioned";
  c.header("Set-Cookie", `${sessionCookieName}=${value}; Path=/; Max-Age=${maxAge}; ${attributes}`);
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
 * token from before a login or logout gets a new anonymous session, which costs another object
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
  session: SessionClaims;
  result: SessionResult<N>;
}>;

/**
 * Makes a call in the caller's existing session. Returns null when there is none, or when its token
 * is from before a login or logout, and starts no session.
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
  session: SessionClaims;
  reply: Reply<SessionResult<N>>;
}>;

async function runOrStartOver<N extends SessionCallName>(
  c: StorefrontContext,
  session: SessionClaims,
  request: SessionRequest<N>,
): Promise<SessionRun<N>> {
  const result = await runInSession(c, session, request);
  if (result !== "stale") return result;
  c.get("meter").do += 1;
  const restarted = await runInSession(c, await startSession(c), request);
  if (restarted === "stale") throw new Error("A session was stale before its first use.");
  return restarted;
}

/** Calls a session's object, and renews the token when the session accepted it. */
async function runInSession<N extends SessionCallName>(
  c: StorefrontContext,
  session: SessionClaims,
  { name, call, input }: SessionRequest<N>,
): Promise<SessionRun<N> | Stale> {
  const object = c.env.CART_SESSION.getByName(session.id);
  const { generation, beganWithConversation } = session;
  const business = toSentBusiness(call.business);
  const sent = { ...call, business, beganWithConversation };
  const reply = await object.run(generation, name, sent, input);
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
