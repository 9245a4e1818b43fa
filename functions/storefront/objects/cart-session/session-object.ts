import type { ActivityEvent, Shopper } from "../../../../shared/activity/index.ts";
import type { Business } from "../../../../shared/businesses/index.ts";
import type { NewItem } from "../../../../shared/cart/index.ts";
import type { CheckoutRequest, CheckoutResult } from "../../../../shared/checkout/index.ts";
import type { Contact, Login } from "../../../../shared/customers/index.ts";
import type { Reply } from "../../../runtime/objects/reply.ts";
import type { IdempotentCall } from "../../../runtime/objects/stored-answers.ts";
import type { CartAnswer } from "../../views/cart.ts";
import type { LoggedIn } from "./session-login.ts";

/** What every call brings along: whose shop it is, and which request it serves. */
export type SessionCall = Readonly<{
  business: Business;
  requestId: string;
  idempotent: IdempotentCall | null;
}>;

/** A checkout always runs under a key: the caller's, or one made for this one call. */
export type CheckoutCall = SessionCall & Readonly<{ idempotent: IdempotentCall }>;

/** What the holder of a session asks of its object: every answer is a promise. */
export type SessionCalls = Readonly<{
  cart(call: Pick<SessionCall, "business">): Promise<Reply<CartAnswer>>;
  addItem(call: SessionCall, item: NewItem): Promise<Reply<CartAnswer>>;
  changeItem(
    call: SessionCall,
    item: { lineId: string; quantity: number },
  ): Promise<Reply<CartAnswer>>;
  removeItem(call: SessionCall, lineId: string): Promise<Reply<CartAnswer>>;
  clear(call: SessionCall): Promise<Reply<CartAnswer>>;
  applyCoupon(call: SessionCall, code: string): Promise<Reply<CartAnswer>>;
  removeCoupon(call: SessionCall): Promise<Reply<CartAnswer>>;
  checkout(call: CheckoutCall, request: CheckoutRequest): Promise<Reply<CheckoutResult>>;
  /** What the session saw and holds. */
  shopper(): Promise<Shopper>;
  /** @param requestKey by which a repeat is known, and records nothing (`requestKeyOf`). */
  recordActivity(events: readonly ActivityEvent[], requestKey: string | null): Promise<Shopper>;
  dismissMessage(code: string): Promise<Shopper>;
  /** Who is logged in; null for nobody. */
  login(): Promise<Login | null>;
  logOut(): Promise<Reply<null>>;
}>;

export type CallName = keyof SessionCalls;
export type CallArgs = { [Name in CallName]: Parameters<SessionCalls[Name]> };
export type CallAnswers = { [Name in CallName]: Awaited<ReturnType<SessionCalls[Name]>> };

type Called = { [Name in CallName]: (...args: CallArgs[Name]) => Promise<CallAnswers[Name]> };

/** A call of a session, by its name. */
export const calledBy = <Name extends CallName>(
  session: Called,
  name: Name,
  args: CallArgs[Name],
): Promise<CallAnswers[Name]> => session[name](...args);

/** The session is not the caller's any more: nothing of it was read or written. */
export type Stale = "stale";

/** What a session's cookie claims beside the session. */
export type CookieClaims = Readonly<{ generation: number; ownedSince: number }>;

/**
 * A session's object as it looks from outside. Whoever asks brings the generation that stands in
 * their cookie; any but the current one is stale.
 */
export type SessionObject = Readonly<{
  serve<Name extends CallName>(
    generation: number,
    name: Name,
    ...args: CallArgs[Name]
  ): Promise<CallAnswers[Name] | Stale>;
  /** Logs in whoever proved the contact, and raises the generation. */
  logIn(generation: number, call: SessionCall, contact: Contact): Promise<Reply<LoggedIn | Stale>>;
  /** From the session's conversation: who holds a cookie, should it be current. */
  joinConversation(of: CookieClaims): Promise<Readonly<{ customerId: string | null }> | Stale>;
}>;
