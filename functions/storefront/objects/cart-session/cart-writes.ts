import { type ActivityRepo, cartEvents } from "../../../../shared/activity/index.ts";
import {
  addItem,
  applyCoupon,
  type Cart,
  type CartContext,
  type CartRepo,
  changeItem,
  clearCart,
  type NewItem,
  removeCoupon,
  removeItem,
} from "../../../../shared/cart/index.ts";
import type { CheckoutContext } from "../../../../shared/checkout/index.ts";
import { conflict, createMeter, type Meter } from "../../../../shared/kernel/index.ts";
import type { Place } from "../../../../shared/scheduling/index.ts";
import type { KeptStorage } from "../../../runtime/objects/expiring-storage.ts";
import { type Outcome, outcomeOf, type Reply } from "../../../runtime/objects/reply.ts";
import type { Serial } from "../../../runtime/objects/serial-queue.ts";
import { type AnswerRepo, isFinal } from "../../../runtime/objects/stored-answers.ts";
import { chance } from "../../../runtime/runtime.ts";
import {
  type CartAnswer,
  cartFromStore,
  cartToStore,
  type StoredCartAnswer,
  viewCart,
} from "../../views/cart.ts";
import type { Checkouts } from "./checkouts.ts";
import type { SessionCall, SessionCalls } from "./session-object.ts";

type Parts = Readonly<{
  kept: KeptStorage;
  carts: CartRepo;
  answers: AnswerRepo;
  activity: ActivityRepo;
  checkouts: Checkouts;
  inTurn: Serial;
  /** The context of a call's use cases. */
  contextOf: (call: SessionCall & Readonly<{ meter: Meter }>) => CheckoutContext;
  /** All of a change to what the session stores, or nothing. */
  change: (change: (now: number) => void) => void;
}>;

type CartWrites = Pick<
  SessionCalls,
  "addItem" | "changeItem" | "removeItem" | "clear" | "applyCoupon" | "removeCoupon"
>;

/** The cart after a write, and the line that its answer names. */
type CartWritten = Readonly<{ cart: Cart; lineId?: string }>;

/** A session's writes to its cart (interface.md, Cart): one after the other, and none beside a checkout. */
export function cartWrites(parts: Parts): CartWrites {
  const { kept, carts, answers, activity, checkouts, inTurn, contextOf, change } = parts;

  /** One cart write: in turn, answered from memory when it is a repeat, stored together with its answer. */
  function write(
    call: SessionCall,
    written: (ctx: CartContext, cart: Cart) => Promise<CartWritten>,
  ): Promise<Reply<CartAnswer>> {
    return inTurn(async () => {
      kept.use(chance.now());
      const repeated = await outcomeOf(async () => earlier(call));
      if (!repeated.ok) return { outcome: repeated, isReplay: false, d1: 0 };
      if (repeated.value) return { outcome: repeated.value, isReplay: true, d1: 0 };
      const meter = createMeter();
      const before = carts.get();
      let after = before;
      const outcome = await outcomeOf(async () => {
        if (checkouts.isRunning()) throw checkingOut();
        const ctx = contextOf({ ...call, meter });
        const giveWay = (place: Place) => checkouts.giveWay(ctx, place);
        const { replacedOrders } = checkouts;
        const { cart, lineId } = await written({ ...ctx, giveWay, replacedOrders }, before);
        const answer = viewCart(cart, call.business, lineId);
        after = cart; // once it can be answered
        return answer;
      });
      store(call, { before, after, outcome });
      return { outcome, isReplay: false, d1: meter.d1 };
    });
  }

  function earlier({ idempotent }: SessionCall): Outcome<CartAnswer> | null {
    const stored = idempotent && answers.find<StoredCartAnswer>(idempotent, chance.now());
    return stored && mapped(stored, cartFromStore);
  }

  function store(
    { idempotent }: SessionCall,
    { before, after, outcome }: { before: Cart; after: Cart; outcome: Outcome<CartAnswer> },
  ): void {
    const isKept = idempotent !== null && isFinal(outcome);
    if (after === before && !isKept) return;
    change((now) => {
      if (after !== before) {
        carts.save(after);
        activity.record(cartEvents(before, after), now);
      }
      if (idempotent) answers.save(idempotent, mapped(outcome, cartToStore), now);
    });
  }

  return {
    addItem: (call, item: NewItem) =>
      write(call, async (ctx, cart) => {
        const added = await addItem(ctx, cart, item);
        return { cart: added.cart, lineId: added.line.id };
      }),
    changeItem: (call, item) =>
      write(call, async (ctx, cart) => ({ cart: await changeItem(ctx, cart, item) })),
    removeItem: (call, lineId) =>
      write(call, async (ctx, cart) => ({ cart: await removeItem(ctx, cart, lineId) })),
    clear: (call) => write(call, async (ctx, cart) => ({ cart: await clearCart(ctx, cart) })),
    applyCoupon: (call, code) =>
      write(call, async (ctx, cart) => ({ cart: await applyCoupon(ctx, cart, code) })),
    removeCoupon: (call) =>
      write(call, async (ctx, cart) => ({ cart: await removeCoupon(ctx, cart) })),
  };
}

const mapped = <T, U>(outcome: Outcome<T>, map: (value: T) => U): Outcome<U> =>
  outcome.ok ? { ok: true, value: map(outcome.value) } : outcome;

const checkingOut = () =>
  conflict("A checkout of this cart is under way; wait for it and try again.", { retryable: true });
