import { cartChangeEvents } from "../../../../shared/activity/index.ts";
import type { Cart, CartContext, CartLine } from "../../../../shared/cart/index.ts";
import { createMeter, type Meter } from "../../../../shared/database/index.ts";
import { captureOutcome, type Outcome, type Reply } from "../../../runtime/objects/calls.ts";
import { isFinal } from "../../../runtime/objects/stored-responses.ts";
import { runtime } from "../../../runtime/runtime.ts";
import {
  type CartResponse,
  fromStoredCartResponse,
  type StoredCartResponse,
  toStoredCartResponse,
  viewCart,
} from "../../views/cart.ts";
import type { Session, SessionCall } from "./session.ts";
import { checkoutInProgress } from "./session-checkouts.ts";
import { type ReopenedOrder, reopeningInProgress } from "./session-reopening.ts";

/** The cart after a write. Some responses also contain the line that was written. */
type ChangedCart = Cart | Readonly<{ cart: Cart; line: CartLine }>;

type CartChange<I> = (ctx: CartContext, cart: Cart, input: I) => Promise<ChangedCart>;

/** A checkout that runs verifies the quotes of its cart by itself. */
type CartWriteOptions = Readonly<{ duringCheckout: "refuse" | "skip" }>;

/**
 * Defines a call that changes the cart. Writes run one after the other, and never during a
 * checkout. A repeated request gets the stored response, which is stored together with the cart.
 */
export function defineCartWrite<I>(
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
export function reopenCart(
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
}

const mapOutcome = <T, U>(outcome: Outcome<T>, map: (value: T) => U): Outcome<U> =>
  outcome.ok ? { ok: true, value: map(outcome.value) } : outcome;
