import { emptyCart } from "../../../../shared/cart/index.ts";
import {
  CartRefusal,
  type Checkout,
  type CheckoutContext,
  type CheckoutResult,
  type CompletedCheckout,
  type OpenCheckout,
  type StoredCheckout,
} from "../../../../shared/checkout/index.ts";
import { minute, type Runtime } from "../../../../shared/kernel/index.ts";
import { log } from "../../../runtime/log.ts";
import {
  type IdempotentRequest,
  storedResponseTtlMs,
} from "../../../runtime/objects/stored-responses.ts";
import type { SessionStorage } from "./session-storage.ts";

/**
 * After this time the alarm resumes a running checkout, because a crash may have interrupted it.
 */
const resumeAfterMs = minute;

/**
 * A checkout that cannot be finished in this time is given up, such as one whose provider has gone.
 */
const giveUpAfterMs = 30 * minute;

/** The route under which responses of checkouts are stored for repeated requests. */
export const checkoutRoute = "POST /checkout";

/** Changes a session's stored checkouts. Each change is stored completely or not at all. */
export class CheckoutRecords {
  readonly #storage: SessionStorage;

  constructor(storage: SessionStorage) {
    this.#storage = storage;
  }

  /** Stores a new checkout and abandons the open checkout that the new one replaces. */
  start(ctx: CheckoutContext, started: OpenCheckout, replaced: OpenCheckout | null): void {
    const { alarms, checkouts } = this.#storage;
    checkouts.deleteClosed(ctx.now() - storedResponseTtlMs);
    this.#storage.transact(() => {
      if (replaced) checkouts.save({ ...replaced, status: "abandoned" });
      checkouts.save(started);
      this.#storage.markCheckoutStarted(ctx.now());
    });
    alarms.set("checkout", ctx.now() + resumeAfterMs);
  }

  /** Marks an open checkout as running. If this run crashes, the alarm resumes the checkout. */
  restart(ctx: CheckoutContext, open: OpenCheckout): OpenCheckout {
    const running: OpenCheckout = { ...open, status: "running" };
    this.#storage.transact(() => {
      this.#storage.checkouts.save(running);
      if (open.status === "unpaid") this.#storage.markCheckoutStarted(ctx.now());
    });
    this.#storage.alarms.set("checkout", ctx.now() + resumeAfterMs);
    return running;
  }

  /** Stores that the payment has not started. The customer may retry, or start another checkout. */
  markUnpaid(open: OpenCheckout, checkout: Checkout): void {
    this.#storage.checkouts.save({ ...open, checkout, status: "unpaid" });
    this.#storage.alarms.clear("checkout");
  }

  /**
   * Stores that the payment has started. Replaces the cart, and stores the response for repeated
   * requests with the same Idempotency-Key.
   */
  complete(
    ctx: CheckoutContext,
    open: OpenCheckout,
    { checkout, result }: Readonly<{ checkout: CompletedCheckout; result: CheckoutResult }>,
  ): void {
    const { alarms, checkouts, responses } = this.#storage;
    this.#storage.transact(() => {
      checkouts.save({ ...open, checkout, status: "completed" });
      responses.save(responseKeyOf(open), { ok: true, value: result }, ctx.now());
      this.#saveEmptyCart(ctx);
    });
    alarms.clear("checkout");
  }

  /**
   * Abandons a checkout that was refused for good. If no order was placed, the earlier checkout
   * that this one replaced is open again.
   */
  refuse(open: OpenCheckout, refusal: unknown): void {
    const { alarms, carts } = this.#storage;
    const { checkout } = open;
    const replacedOrderId =
      checkout.state === "planned" ? checkout.plan.replaces.at(-1) : undefined;
    this.#storage.transact(() => {
      this.reopenInstead(open, replacedOrderId);
      if (refusal instanceof CartRefusal) carts.save(refusal.cart);
    });
    alarms.clear("checkout");
  }

  /** Whether the open checkout could not be finished for so long that it is given up. */
  isOverdue({ startedAt }: OpenCheckout, now: number): boolean {
    return now - (this.#storage.checkoutStartedAt() ?? startedAt) >= giveUpAfterMs;
  }

  /**
   * Abandons a checkout without touching its order, which may have been paid: the background job
   * asks the provider and keeps or cancels it. The lines go on in a cart with a new id, so that the
   * order does not stand in the way of the next checkout. A captured sale leaves an empty cart.
   */
  giveUp(ctx: Pick<Runtime, "now" | "newId">, open: OpenCheckout): void {
    const { alarms, carts, checkouts } = this.#storage;
    const { checkout } = open;
    const isSold = checkout.state === "charged" && checkout.charge.type === "captured";
    const cart = carts.get();
    this.#storage.transact(() => {
      checkouts.save({ ...open, status: "abandoned" });
      if (cart.id !== checkout.request.cartId) return;
      if (isSold) this.#saveEmptyCart(ctx);
      else carts.save({ ...cart, id: ctx.newId("cart"), updatedAt: ctx.now() });
    });
    alarms.clear("checkout");
    log("error", "checkout given up", { order: checkout.plan.orderId, state: checkout.state });
  }

  /** Stores the cart of a checkout that was refused before it started. */
  storeRefusedCart({ cart }: CartRefusal): void {
    this.#storage.transact(() => this.#storage.carts.save(cart));
  }

  /** Abandons a checkout and opens the one of an earlier order again, if the session has it. */
  reopenInstead(
    abandoned: OpenCheckout | null,
    earlierOrderId: string | undefined,
  ): OpenCheckout | null {
    const { checkouts } = this.#storage;
    const earlier = earlierOrderId === undefined ? null : checkouts.findByOrder(earlierOrderId);
    const reopened: OpenCheckout | null = earlier && { ...earlier, status: "unpaid" };
    this.#storage.transact(() => {
      if (abandoned) checkouts.save({ ...abandoned, status: "abandoned" });
      if (reopened) checkouts.save(reopened);
    });
    return reopened;
  }

  /** Abandons a checkout whose order was paid on its own; the cart is empty if it was ordered. */
  closePaid(ctx: Pick<Runtime, "now" | "newId">, open: OpenCheckout): void {
    const { carts, checkouts } = this.#storage;
    this.#storage.transact(() => {
      checkouts.save({ ...open, status: "abandoned" });
      if (carts.get().id === open.checkout.request.cartId) this.#saveEmptyCart(ctx);
    });
  }

  /** Gives the session an empty cart, because the old one was sold. */
  replaceCart(ctx: CheckoutContext): void {
    this.#storage.transact(() => this.#saveEmptyCart(ctx));
  }

  #saveEmptyCart(ctx: Pick<Runtime, "now" | "newId">): void {
    this.#storage.carts.save(emptyCart(ctx.newId("cart"), ctx.now()));
  }
}

const responseKeyOf = ({ key, fingerprint }: StoredCheckout): IdempotentRequest => ({
  route: checkoutRoute,
  key,
  fingerprint,
});
