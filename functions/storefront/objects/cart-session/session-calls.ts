import {
  type ActivityEvent,
  cartChangeEvents,
  isMessageCode,
  type Shopper,
} from "../../../../shared/activity/index.ts";
import {
  addItem,
  applyCoupon,
  type Cart,
  type CartContext,
  type CartLine,
  changeItemQuantity,
  clearCart,
  previewCoupon,
  removeCoupon,
  removeItem,
  takeRefreshedQuote,
} from "../../../../shared/cart/index.ts";
import type { Login } from "../../../../shared/customers/index.ts";
import { createMeter } from "../../../../shared/database/index.ts";
import { captureOutcome, type Outcome, type Reply } from "../../../runtime/objects/calls.ts";
import { type IdempotentRequest, isFinal } from "../../../runtime/objects/stored-responses.ts";
import { runtime } from "../../../runtime/runtime.ts";
import {
  type CartResponse,
  fromStoredCartResponse,
  type StoredCartResponse,
  toStoredCartResponse,
  viewCart,
} from "../../views/cart.ts";
import type { CheckoutInput, Session, SessionCall, SessionContext } from "./session.ts";
import { checkoutInProgress } from "./session-checkouts.ts";
import type { LoggedIn, LoginProof } from "./session-login.ts";
import { type ReopenedOrder, reopeningInProgress } from "./session-reopening.ts";

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

/** Puts the lines of an unpaid order back into the cart, in the order of the cart's writes. */
function reopenCart(
  session: Session,
  call: SessionCall,
  order: ReopenedOrder,
): Promise<Reply<CartResponse>> {
  return session.queue(async () => {
    const { storage } = session;
    storage.markUsed(runtime.now());
    const repeated = await captureOutcome(async () => findStoredResponse(session, call));
    if (!repeated.ok) return { outcome: repeated, isReplay: false, d1: 0 };
    if (repeated.value) return { outcome: repeated.value, isReplay: true, d1: 0 };
    const meter = createMeter();
    const outcome = await captureOutcome(async () => {
      await session.reopening.reopen(session.createCheckoutContext({ ...call, meter }), order);
      return viewCart(storage.carts.get(), call);
    });
    const cart = storage.carts.get();
    storeCart(session, call, { before: cart, after: cart, outcome });
    return { outcome, isReplay: false, d1: meter.d1 };
  });
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

/** The cart after a write. Some responses also contain the line that was written. */
type ChangedCart = Cart | Readonly<{ cart: Cart; line: CartLine }>;

type CartChange<I> = (ctx: CartContext, cart: Cart, input: I) => Promise<ChangedCart>;

/** A checkout that runs verifies the quotes of its cart by itself. */
type CartWriteOptions = Readonly<{ duringCheckout: "refuse" | "skip" }>;

/**
 * Defines a call that changes the cart. Writes run one after the other, and never during a
 * checkout. A repeated request gets the stored response, which is stored together with the cart.
 */
function defineCartWrite<I>(
  change: CartChange<I>,
  { duringCheckout }: CartWriteOptions = { duringCheckout: "refuse" },
) {
  return (session: Session, call: SessionCall, input: I): Promise<Reply<CartResponse>> =>
    session.queue(async () => {
      const { storage } = session;
      storage.markUsed(runtime.now());
      const repeated = await captureOutcome(async () => findStoredResponse(session, call));
      if (!repeated.ok) return { outcome: repeated, isReplay: false, d1: 0 };
      if (repeated.value) return { outcome: repeated.value, isReplay: true, d1: 0 };
      const meter = createMeter();
      const before = storage.carts.get();
      let after = before;
      const outcome = await captureOutcome(async () => {
        if (session.checkouts.isRunning()) {
          if (duringCheckout === "skip") return viewCart(before, call);
          throw checkoutInProgress();
        }
        if (storage.isReopening()) throw reopeningInProgress();
        const request = { ...call, meter };
        const ctx = {
          ...session.createContext(request),
          ...session.checkouts.replaceableOrders(() => session.createCheckoutContext(request)),
        };
        const changed = await change(ctx, before, input);
        const { cart, line = null } = "cart" in changed ? changed : { cart: changed };
        const response = viewCart(cart, call, line?.id);
        // Only now, because a cart whose response cannot be built must not be stored.
        after = cart;
        return response;
      });
      storeCart(session, call, { before, after, outcome });
      return { outcome, isReplay: false, d1: meter.d1 };
    });
}

function findStoredResponse(
  { storage }: Session,
  { idempotent }: SessionCall,
): Outcome<CartResponse> | null {
  const stored =
    idempotent && storage.responses.find<StoredCartResponse>(idempotent, runtime.now());
  return stored && mapOutcome(stored, fromStoredCartResponse);
}

type CartWriteResult = Readonly<{ before: Cart; after: Cart; outcome: Outcome<CartResponse> }>;

function storeCart(
  { storage }: Session,
  { idempotent }: SessionCall,
  { before, after, outcome }: CartWriteResult,
): void {
  const isStored = idempotent !== null && isFinal(outcome);
  if (after === before && !isStored) return;
  storage.write((now) => {
    if (after !== before) {
      storage.carts.save(after);
      storage.activity.record(cartChangeEvents(before, after), now);
    }
    if (idempotent)
      storage.responses.save(idempotent, mapOutcome(outcome, toStoredCartResponse), now);
  });
}

const mapOutcome = <T, U>(outcome: Outcome<T>, map: (value: T) => U): Outcome<U> =>
  outcome.ok ? { ok: true, value: map(outcome.value) } : outcome;
