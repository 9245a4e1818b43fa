import { cartChangeEvents } from "../../../../shared/activity/index.ts";
import {
  addItem,
  applyCoupon,
  type Cart,
  type CartContext,
  type CartLine,
  changeItemQuantity,
  chooseDelivery,
  clearCart,
  listDeliveryOptions,
  previewCoupon,
  removeCoupon,
  removeCoupons,
  removeDelivery,
  removeItem,
  takeRefreshedQuote,
} from "../../../../shared/cart/index.ts";
import type { Login } from "../../../../shared/customers/index.ts";
import { createMeter, type Meter } from "../../../../shared/database/index.ts";
import type { DeliveryPlace } from "../../../../shared/delivery/index.ts";
import { captureOutcome, type Outcome, type Reply } from "../../../runtime/objects/calls.ts";
import type { SentCall } from "../../../runtime/objects/sent-business.ts";
import { isFinal } from "../../../runtime/objects/stored-responses.ts";
import { runtime } from "../../../runtime/runtime.ts";
import {
  type CartResponse,
  fromStoredCartResponse,
  type StoredCartResponse,
  toStoredCartResponse,
  viewCart,
} from "../../views/cart.ts";
import type { CheckoutInput, Session, SessionCall, SessionContext } from "./session.ts";
import {
  dismissMessage,
  type RecordedActivity,
  recordActivity,
  shopperOf,
} from "./session-activity.ts";
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
  removeCoupon: defineCartWrite(removeCoupon),
  removeCoupons: defineCartWrite<null>(removeCoupons),
  chooseDelivery: defineCartWrite(chooseDelivery),
  removeDelivery: defineCartWrite<null>(removeDelivery),
  previewCoupon: (session: Session, call: SessionCall, code: string) =>
    readWithDatabase(session, call, (ctx) => previewSessionCoupon(ctx, session, code)),
  listDeliveryOptions: (session: Session, call: SessionCall, place: DeliveryPlace | null) =>
    readWithDatabase(session, call, (ctx) =>
      listDeliveryOptions(ctx, session.storage.carts.get(), place),
    ),
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
  logOut(session: Session, call: SessionCall, _input: null) {
    session.joinFirstConversation(call);
    return session.login.logOut(runtime.now);
  },
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
    call: SentCall<SessionCall>,
    input: SessionInput<N>,
  ): Promise<Reply<SessionResult<N>> | Stale>;
  /** Logs in the customer who proved a contact, and raises the generation. */
  logIn(
    generation: number,
    call: SentCall<SessionCall>,
    proof: LoginProof,
  ): Promise<Reply<LoggedIn | Stale>>;
  /** Returns the customer of a current cookie. Called by the session's support conversation. */
  joinConversation(claims: CookieClaims): Promise<Readonly<{ customerId: string | null }> | Stale>;
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

/**
 * What a code would do to the session's cart, and its deal; null for an empty cart. Without a cart,
 * the customer's groups decide whether the code is valid.
 */
async function previewSessionCoupon(
  ctx: SessionContext,
  { storage, login }: Session,
  code: string,
) {
  const customerId = login.current()?.customerId ?? null;
  const preview = await previewCoupon(ctx, storage.carts.get(), code);
  if (!preview?.deal) return { customerId, preview: preview && { ...preview, deal: null } };
  const { coverage: _, buyCoverage: __, updatedAt: ___, ...deal } = preview.deal;
  return { customerId, preview: { ...preview, deal } };
}

/** Who a session is for its orders, and how far its own checkout of an order has come. */
type OrderAccess = Readonly<{ login: Login | null; checkout: "running" | "unpaid" | null }>;

function orderAccessOf(session: Session, _: SessionCall, orderId: string): OrderAccess {
  return {
    login: session.login.current(),
    checkout: session.checkouts.statusOfOrder(orderId),
  };
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
    runCartWrite(session, call, async (meter) => {
      const { storage } = session;
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
      return { before, after, outcome };
    });
}

/** Puts the lines of an unpaid order back into the cart, in the order of the cart's writes. */
function reopenCart(
  session: Session,
  call: SessionCall,
  order: ReopenedOrder,
): Promise<Reply<CartResponse>> {
  const { storage, reopening } = session;
  return runCartWrite(session, call, async (meter) => {
    const outcome = await captureOutcome(async () => {
      await reopening.reopen(session.createCheckoutContext({ ...call, meter }), order);
      return viewCart(storage.carts.get(), call);
    });
    const cart = storage.carts.get();
    return { before: cart, after: cart, outcome };
  });
}

/** Runs writes of the cart one after the other, and stores the cart together with the response. */
function runCartWrite(
  session: Session,
  call: SessionCall,
  write: (meter: Meter) => Promise<CartWriteResult>,
): Promise<Reply<CartResponse>> {
  return session.queue(async () => {
    session.storage.markUsed(runtime.now());
    const repeated = await captureOutcome(async () => findStoredResponse(session, call));
    if (!repeated.ok) return { outcome: repeated, isReplay: false, d1: 0 };
    if (repeated.value) return { outcome: repeated.value, isReplay: true, d1: 0 };
    const meter = createMeter();
    const result = await write(meter);
    storeCart(session, call, result);
    return { outcome: result.outcome, isReplay: false, d1: meter.d1 };
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
  if (after === before) storage.expireIfEmpty();
}

const mapOutcome = <T, U>(outcome: Outcome<T>, map: (value: T) => U): Outcome<U> =>
  outcome.ok ? { ok: true, value: map(outcome.value) } : outcome;
