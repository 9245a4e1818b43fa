import type { Login } from "../../shared/customers/index.ts";
import {
  type CookieSession,
  readSession,
  renewSession,
  startSession,
} from "../http/authentication/session-cookie.ts";
import { requireKey } from "../http/context.ts";
import { fingerprintBody, readIdempotencyKey } from "../http/idempotency/idempotency-key.ts";
import { countObjectCall, unwrapReply } from "../http/object-calls.ts";
import type { Reply } from "../runtime/objects/reply.ts";
import type { IdempotentRequest } from "../runtime/objects/stored-responses.ts";
import type { StorefrontContext } from "./env.ts";
import type { SessionCall } from "./objects/cart-session/session.ts";
import type {
  SessionCallName,
  SessionInput,
  SessionResult,
  Stale,
} from "./objects/cart-session/session-calls.ts";

/** What every call of a session's object carries. */
export const createSessionCall = (c: StorefrontContext): SessionCall => ({
  business: requireKey(c).business,
  requestId: c.get("requestId"),
  idempotent: null,
});

/**
 * Makes a call of `sessionCalls` in the caller's session, and starts a session for a caller without
 * one. A cookie from before a login or logout gets a new anonymous session, at one more hop.
 *
 * @param repeatable the route and body by which the session knows a repeat with an Idempotency-Key.
 */
export async function callSession<N extends SessionCallName>(
  c: StorefrontContext,
  name: N,
  input: SessionInput<N>,
  repeatable: RepeatableRequest | null = null,
): Promise<SessionResult<N>> {
  const session = (await readSession(c)) ?? (await startSession(c));
  const idempotent = repeatable && (await readIdempotentRequest(c, repeatable));
  const request = { name, call: { ...createSessionCall(c), idempotent }, input };
  return unwrapReply(c, await countObjectCall(c, runOrStartOver(c, session, request)));
}

/**
 * Makes a call in the session of the caller's cookie. Null without a session, and for a cookie from
 * before a login or logout: no session is started.
 */
export async function callExistingSession<N extends SessionCallName>(
  c: StorefrontContext,
  name: N,
  input: SessionInput<N>,
): Promise<Readonly<{ session: CookieSession; result: SessionResult<N> }> | null> {
  const session = await readSession(c);
  if (session === null) return null;
  const request = { name, call: createSessionCall(c), input };
  const ran = await countObjectCall(c, runInSession(c, session, request));
  if (ran === "stale") return null;
  return { session: ran.session, result: unwrapReply(c, ran.reply) };
}

/** The login of the caller's session; null without one. */
export async function loadLogin(c: StorefrontContext): Promise<Login | null> {
  return (await callExistingSession(c, "getLogin", null))?.result ?? null;
}

type SessionRequest<N extends SessionCallName> = Readonly<{
  name: N;
  call: SessionCall;
  input: SessionInput<N>;
}>;

type SessionReply<N extends SessionCallName> = Reply<SessionResult<N>>;

async function runOrStartOver<N extends SessionCallName>(
  c: StorefrontContext,
  session: CookieSession,
  request: SessionRequest<N>,
): Promise<SessionReply<N>> {
  const ran = await runInSession(c, session, request);
  if (ran !== "stale") return ran.reply;
  c.get("meter").do += 1;
  const restarted = await runInSession(c, await startSession(c), request);
  if (restarted === "stale") throw new Error("A session was stale before its first use.");
  return restarted.reply;
}

/** Calls a session's object, and renews the cookie of a session that is used. */
async function runInSession<N extends SessionCallName>(
  c: StorefrontContext,
  session: CookieSession,
  { name, call, input }: SessionRequest<N>,
): Promise<Readonly<{ session: CookieSession; reply: SessionReply<N> }> | Stale> {
  const object = c.env.CART_SESSION.getByName(session.id);
  const reply = await object.run(session.generation, name, call, input);
  return reply === "stale" ? reply : { session: await renewSession(c, session), reply };
}

type RepeatableRequest = Readonly<{ route: string; body: unknown }>;

/** The request's Idempotency-Key with its route and body; null without the header. */
async function readIdempotentRequest(
  c: StorefrontContext,
  { route, body }: RepeatableRequest,
): Promise<IdempotentRequest | null> {
  const key = readIdempotencyKey(c);
  return key === null ? null : { route, key, fingerprint: await fingerprintBody(body) };
}
