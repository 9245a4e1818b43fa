import type { Login } from "../../shared/customers/index.ts";
import type { RequestContext } from "../http/api-env.ts";
import {
  renewSession,
  type Session,
  sessionOf,
  startSession,
} from "../http/authentication/session-cookie.ts";
import { keyed } from "../http/context.ts";
import { fingerprintOf, idempotencyKeyOf } from "../http/idempotency/key.ts";
import { counted } from "../http/object-calls.ts";
import type { IdempotentCall } from "../runtime/objects/stored-answers.ts";
import type { StorefrontBindings } from "./env.ts";
import type {
  CallAnswers,
  CallArgs,
  CallName,
  SessionCall,
  SessionCalls,
  Stale,
} from "./objects/cart-session/session-object.ts";

type StorefrontContext = RequestContext<StorefrontBindings>;

/** What every call of a session's object brings along. */
export const sessionCall = (c: StorefrontContext): SessionCall => ({
  business: keyed(c).business,
  requestId: c.get("requestId"),
  idempotent: null,
});

/**
 * The caller's session for a call that needs one, and what every call of it brings along. A stranger
 * gets a fresh anonymous one.
 */
export async function openSession(c: StorefrontContext) {
  const session = (await sessionOf(c)) ?? (await startSession(c));
  return { object: callersObject(c, session), call: sessionCall(c) };
}

/**
 * Asks something of the session that the caller's cookie names, should there be one: none comes into
 * being by it. Null for a stranger, and for whoever bears a cookie of before a login or logout.
 */
export async function askKnown<Name extends CallName>(
  c: StorefrontContext,
  name: Name,
  ...args: CallArgs[Name]
): Promise<Readonly<{ session: Session; answer: CallAnswers[Name] }> | null> {
  const known = await sessionOf(c);
  const served = known && (await counted(c, serve(c, known, name, ...args)));
  return served === null || served === "stale" ? null : served;
}

/** Who is logged in with the caller's session; null for nobody. */
export async function sessionLogin(c: StorefrontContext): Promise<Login | null> {
  return (await askKnown(c, "login"))?.answer ?? null;
}

/** Asks a session's object; a session that is used lives on. */
async function serve<Name extends CallName>(
  c: StorefrontContext,
  session: Session,
  name: Name,
  ...args: CallArgs[Name]
): Promise<Readonly<{ session: Session; answer: CallAnswers[Name] }> | Stale> {
  const object = c.env.CART_SESSION.getByName(session.id);
  const answer = await object.serve(session.generation, name, ...args);
  return answer === "stale" ? answer : { session: await renewSession(c, session), answer };
}

/**
 * A session's object for the bearer of its cookie. A cookie of before a login or logout opens
 * nothing: its bearer goes on in a fresh anonymous session (completions.md 3), at one more hop.
 */
function callersObject(c: StorefrontContext, session: Session): SessionCalls {
  const call =
    <Name extends CallName>(name: Name) =>
    async (...args: CallArgs[Name]): Promise<CallAnswers[Name]> => {
      const served = await serve(c, session, name, ...args);
      if (served !== "stale") return served.answer;
      c.get("meter").do += 1;
      const anew = await serve(c, await startSession(c), name, ...args);
      if (anew === "stale") throw new Error("A session was stale before its first use.");
      return anew.answer;
    };
  return {
    cart: call("cart"),
    addItem: call("addItem"),
    changeItem: call("changeItem"),
    removeItem: call("removeItem"),
    clear: call("clear"),
    applyCoupon: call("applyCoupon"),
    removeCoupon: call("removeCoupon"),
    checkout: call("checkout"),
    shopper: call("shopper"),
    recordActivity: call("recordActivity"),
    dismissMessage: call("dismissMessage"),
    login: call("login"),
    logOut: call("logOut"),
  };
}

/** The request's Idempotency-Key as its session keeps it, for a row of the contract; null without one. */
export async function idempotentCall(
  c: StorefrontContext,
  { route, body, key = idempotencyKeyOf(c) }: { route: string; body: unknown; key?: string | null },
): Promise<IdempotentCall | null> {
  return key === null ? null : { route, key, fingerprint: await fingerprintOf(body) };
}
