import {
  type ActivityEvent,
  isMessageCode,
  type Shopper,
} from "../../../../shared/activity/index.ts";
import {
  addItem,
  applyCoupon,
  changeItemQuantity,
  clearCart,
  previewCoupon,
  removeCoupon,
  removeItem,
  takeRefreshedQuote,
} from "../../../../shared/cart/index.ts";
import type { Login } from "../../../../shared/customers/index.ts";
import { createMeter } from "../../../../shared/database/index.ts";
import { captureOutcome, type Reply } from "../../../runtime/objects/calls.ts";
import type { IdempotentRequest } from "../../../runtime/objects/stored-responses.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { viewCart } from "../../views/cart.ts";
import { defineCartWrite, reopenCart } from "./cart-writes.ts";
import type { CheckoutInput, Session, SessionCall, SessionContext } from "./session.ts";
import type { LoggedIn, LoginProof } from "./session-login.ts";

/**
 * The calls of a session's object. To add a call, only add an entry here: routes use the entry with
 * `callSession(c, name, input)`, which derives all types from it.
 */
const sessionCalls = {
  getCart: defineReadCall((session, call) => viewCart(session.storage.carts.get(), call)),
  addItem: defineCartWrite(addItem),
  changeItem: defineCartWrite(changeItemQuantity),
  removeItem: defineCartWrite(removeItem),
  clearCart: defineCartWrite<null>(clearCart),
  applyCoupon: defineCartWrite(applyCoupon),
  removeCoupon: defineCartWrite<null>(removeCoupon),
  previewCoupon: (session: Session, call: SessionCall, code: string) =>
    readWithDatabase(session, call, (ctx) => previewSessionCoupon(ctx, session, code)),
  takeRefreshedQuote: defineCartWrite(takeRefreshedQuote, { duringCheckout: "skip" }),
  checkOut: (session: Session, call: SessionCall, input: CheckoutInput) =>
    session.checkOut(call, input),
  reopenCart,
  getShopper: defineReadCall(shopperOf),
  recordActivity: defineReadCall((session, _, input: RecordedActivity) =>
    recordActivity(session, input),
  ),
  dismissMessage: defineReadCall((session, _, code: string) => dismissMessage(session, code)),
  getLogin: defineReadCall((session) => session.login.current()),
  getOrderAccess: defineReadCall(orderAccessOf),
  closePaidCheckout: defineReadCall((session, _, orderId: string) =>
    session.checkouts.closePaid(orderId, runtime),
  ),
  logOut: (session: Session, _call: SessionCall, _input: null) => session.login.logOut(runtime.now),
} as const;

type SessionCalls = typeof sessionCalls;
export type SessionCallName = keyof SessionCalls;
export type SessionInput<N extends SessionCallName> = Parameters<SessionCalls[N]>[2];
export type SessionResult<N extends SessionCallName> =
  Awaited<ReturnType<SessionCalls[N]>> extends Reply<infer T> ? T : never;

type CallHandlers = {
  readonly [N in SessionCallName]: (
    session: Session,
    call: SessionCall,
    input: SessionInput<N>,
  ) => Promise<Reply<SessionResult<N>>>;
};

/** Returns the handler of a call with the types of that call. */
export const sessionCallHandler = <N extends SessionCallName>(name: N): CallHandlers[N] => {
  const handlers: CallHandlers = sessionCalls;
  return handlers[name];
};

/**
 * The result of a call whose cookie was issued before the session's last login or logout. Nothing
 * was read or written.
 */
export type Stale = "stale";

/** The claims of a session's cookie other than the session's id. */
export type CookieClaims = Readonly<{ generation: number; ownedSince: number }>;

/**
 * The RPC methods of a session's object. They accept only cookies of the current generation, a
 * number that every login and logout raises.
 */
export type SessionObject = Readonly<{
  run<N extends SessionCallName>(
    generation: number,
    name: N,
    call: SessionCall,
    input: SessionInput<N>,
  ): Promise<Reply<SessionResult<N>> | Stale>;
  /** Logs in the customer who proved a contact, and raises the generation. */
  logIn(generation: number, call: SessionCall, proof: LoginProof): Promise<Reply<LoggedIn | Stale>>;
  /** Returns the customer of a current cookie. Called by the session's support conversation. */
  joinConversation(claims: CookieClaims): Promise<Readonly<{ customerId: string | null }> | Stale>;
}>;

type RecordedActivity = Readonly<{
  events: readonly ActivityEvent[];
  /**
   * Identifies a repeated request, which records nothing again. Null without an Idempotency-Key.
   */
  requestKey: string | null;
}>;

/**
 * Defines a call that uses only the session's object, not D1. A repeated request runs again,
 * because no response is stored.
 */
function defineReadCall<Input = null, Result = unknown>(
  handle: (session: Session, call: SessionCall, input: Input) => Result,
) {
  return async (session: Session, call: SessionCall, input: Input): Promise<Reply<Result>> => {
    session.storage.markUsed(runtime.now());
    const outcome = await captureOutcome(async () => handle(session, call, input));
    return { outcome, isReplay: false, d1: 0 };
  };
}

/** Runs a call that reads D1 and changes nothing. */
async function readWithDatabase<T>(
  session: Session,
  call: SessionCall,
  read: (ctx: SessionContext) => Promise<T>,
): Promise<Reply<T>> {
  session.storage.markUsed(runtime.now());
  const meter = createMeter();
  const ctx = session.createContext({ ...call, meter });
  return { outcome: await captureOutcome(() => read(ctx)), isReplay: false, d1: meter.d1 };
}

/** What a code would do to the session's cart, and its deal; null for an empty cart. */
async function previewSessionCoupon(ctx: SessionContext, { storage }: Session, code: string) {
  const preview = await previewCoupon(ctx, storage.carts.get(), code);
  if (preview?.deal === undefined || preview.deal === null)
    return preview && { ...preview, deal: null };
  const { coverage: _, updatedAt: __, ...deal } = preview.deal;
  return { ...preview, deal };
}

/** Who a session is for its orders, and how far its own checkout of an order has come. */
type OrderAccess = Readonly<{ login: Login | null; checkout: "running" | "unpaid" | null }>;

function orderAccessOf(session: Session, _: SessionCall, orderId: string): OrderAccess {
  return {
    login: session.login.current(),
    checkout: session.checkouts.statusOfOrder(orderId),
  };
}

function shopperOf({ storage }: Session): Shopper {
  return { activity: storage.activity.read(runtime.now()), cart: storage.carts.get() };
}

function recordActivity(session: Session, { events, requestKey }: RecordedActivity): Shopper {
  const { activity, responses } = session.storage;
  const request = requestKey === null ? null : activityRequest(requestKey);
  const isRepeat = request !== null && responses.find(request, runtime.now()) !== null;
  if (events.length > 0 && !isRepeat) {
    session.storage.write((now) => {
      activity.record(events, now);
      if (request) responses.save(request, { ok: true, value: null }, now);
    });
  }
  return shopperOf(session);
}

/** `key` is derived from the request's body, so no fingerprint of the body is needed. */
const activityRequest = (key: string): IdempotentRequest => ({
  route: "POST /activity/events",
  key,
  fingerprint: "",
});

/** Dismisses a message. Unknown codes are ignored, so that clients cannot store arbitrary texts. */
function dismissMessage(session: Session, code: string): Shopper {
  if (isMessageCode(code)) {
    session.storage.write((now) => session.storage.activity.dismiss(code, now));
  }
  return shopperOf(session);
}
