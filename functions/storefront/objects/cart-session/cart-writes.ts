import { cartChangeEvents } from "../../../../shared/activity/index.ts";
import type { Cart, CartContext, CartLine } from "../../../../shared/cart/index.ts";
import { createMeter } from "../../../../shared/kernel/index.ts";
import { captureOutcome, type Outcome, type Reply } from "../../../runtime/objects/reply.ts";
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

/** The cart after a write, or that and the line that the response names. */
type ChangedCart = Cart | Readonly<{ cart: Cart; line: CartLine }>;

type CartChange<I> = (ctx: CartContext, cart: Cart, input: I) => Promise<ChangedCart>;

/**
 * A call that changes the cart. Writes run one after the other and never during a checkout. A repeat
 * gets the stored response; a new response is stored together with the cart.
 */
export const cartWrite =
  <I>(change: CartChange<I>) =>
  (session: Session, call: SessionCall, input: I): Promise<Reply<CartResponse>> =>
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
        if (session.checkouts.isRunning()) throw checkoutInProgress();
        const request = { ...call, meter };
        const ctx = {
          ...session.createContext(request),
          ...session.checkouts.replaceableOrders(() => session.createCheckoutContext(request)),
        };
        const changed = await change(ctx, before, input);
        const { cart, line = null } = "cart" in changed ? changed : { cart: changed };
        const response = viewCart(cart, call.business, line?.id);
        after = cart; // only once the response could be built
        return response;
      });
      storeCart(session, call, { before, after, outcome });
      return { outcome, isReplay: false, d1: meter.d1 };
    });

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
