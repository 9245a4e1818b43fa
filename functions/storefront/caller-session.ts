import type { Login } from "../../shared/customers/index.ts";
import { countObjectCall, publicAddressOf, requireKey, unwrapReply } from "../http/context.ts";
import { fingerprintBody, readIdempotencyKey } from "../http/idempotency/idempotency-key.ts";
import { callerNetwork } from "../http/rate-limits/rate-limit.ts";
import type { Reply } from "../runtime/objects/calls.ts";
import type { IdempotentRequest } from "../runtime/objects/stored-responses.ts";
import type { StorefrontContext } from "./env.ts";
import type { SessionCall } from "./objects/cart-session/session.ts";
import type {
  SessionCallName,
  SessionInput,
  SessionResult,
  Stale,
} from "./objects/cart-session/session-calls.ts";
import { readSession, renewSession, type SessionClaims, startSession } from "./session-token.ts";

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
