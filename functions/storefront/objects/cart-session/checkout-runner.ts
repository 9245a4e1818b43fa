import {
  abandonCheckout,
  CartRefusal,
  type Checkout,
  type CheckoutContext,
  type CheckoutResult,
  cancelFailedOrders,
  EarlierOrderSold,
  isCompleted,
  isOpen,
  type OpenCheckout,
  orderIdsToReplace,
  type PlacingReads,
  planCheckout,
  requireCheckoutResult,
  runCheckout,
  type SentCheckoutRequest,
  type StoredCheckout,
} from "../../../../shared/checkout/index.ts";
import { conflict, notFound, Refusal, type Runtime } from "../../../../shared/kernel/index.ts";
import { allocationsOverlap, type SlotAllocation } from "../../../../shared/scheduling/index.ts";
import {
  type IdempotentRequest,
  storedResponseTtlMs,
} from "../../../runtime/objects/stored-responses.ts";
import { CheckoutRecords } from "./checkout-records.ts";
import type { SessionStorage } from "./session-storage.ts";

/**
 * Runs the checkouts of a session and stores their results. The caller must run only one at a time.
 */
export class CheckoutRunner {
  readonly #storage: SessionStorage;
  readonly #records: CheckoutRecords;

  constructor(storage: SessionStorage) {
    this.#storage = storage;
    this.#records = new CheckoutRecords(storage);
  }

  /** Resumes the open checkout with this Idempotency-Key, or starts a new one. */
  async resumeOrStart(
    ctx: CheckoutContext,
    idempotent: IdempotentRequest,
    request: SentCheckoutRequest,
  ): Promise<CheckoutResult> {
    const unfinished = this.#findUnfinished(idempotent, ctx.now());
    if (unfinished) return this.runSteps(ctx, this.#records.restart(ctx, unfinished));
    const { started, reads } = await this.#startCheckout(ctx, idempotent, request);
    return this.runSteps(ctx, started, reads);
  }

  /**
   * The open checkout with this Idempotency-Key; null when there is none.
   *
   * @throws Refusal CONFLICT when the key was used with another body, or another checkout replaced
   * this one.
   */
  #findUnfinished({ key, fingerprint }: IdempotentRequest, now: number): OpenCheckout | null {
    const stored = this.#storage.checkouts.findByKey(key);
    if (stored === null || stored.status === "completed" || isKeyFree(stored, now)) return null;
    if (stored.fingerprint !== fingerprint) {
      throw conflict("This Idempotency-Key was used with another body; use a new key.");
    }
    if (!isOpen(stored))
      throw conflict("This checkout has ended; read the cart and use a new key.");
    return stored;
  }

  async #startCheckout(
    ctx: CheckoutContext,
    { key, fingerprint }: IdempotentRequest,
    request: SentCheckoutRequest,
  ): Promise<Readonly<{ started: OpenCheckout; reads: PlacingReads }>> {
    const { business } = ctx;
    const replaced = this.#storage.checkouts.findOpen();
    const { checkout, reads } = await this.#planReplacing(ctx, replaced, request);
    const startedAt = ctx.now();
    const started: OpenCheckout = {
      key,
      fingerprint,
      status: "running",
      business,
      checkout,
      startedAt,
    };
    this.#records.start(ctx, started, replaced);
    return { started, reads };
  }

  /** Plans a checkout that replaces the unfinished one, unless an earlier order is already the sale. */
  async #planReplacing(
    ctx: CheckoutContext,
    unfinished: OpenCheckout | null,
    request: SentCheckoutRequest,
  ): ReturnType<typeof planCheckout> {
    const { carts, checkouts } = this.#storage;
    const sessionId = ctx.actor.type === "session" ? ctx.actor.sessionId : "";
    const cart = carts.get();
    const replaces = unfinished ? orderIdsToReplace(unfinished.checkout) : [];
    const isOrderedFrom = unfinished !== null || checkouts.isOrderedFrom(cart.id);
    try {
      return await planCheckout(ctx, { cart, sessionId, request, replaces, isOrderedFrom });
    } catch (error) {
      if (error instanceof CartRefusal) this.#records.storeRefusedCart(error);
      if (unfinished && isProviderUnavailable(error)) this.#giveUpIfOverdue(ctx, unfinished);
      if (!(error instanceof EarlierOrderSold)) throw error;
      throw await this.#completeEarlierSale(ctx, error, unfinished);
    }
  }

  /**
   * Completes the checkout of an order that was already paid or accepted, and returns the refusal
   * of the checkout that would have replaced it.
   */
  async #completeEarlierSale(
    ctx: CheckoutContext,
    { orderId }: EarlierOrderSold,
    replacing: OpenCheckout | null,
  ): Promise<Refusal> {
    const sold = this.#records.reopenInstead(replacing, orderId);
    if (sold) await this.runSteps(ctx, sold);
    // The checkout of that order is no longer stored, so only the cart is replaced.
    else this.#records.replaceCart(ctx);
    return notFound("cart");
  }

  /** Runs the remaining steps of a checkout and stores the result. */
  async runSteps(
    ctx: CheckoutContext,
    open: OpenCheckout,
    reads: PlacingReads | null = null,
  ): Promise<CheckoutResult> {
    let checkout = open.checkout;
    const save = (next: Checkout) => {
      checkout = next;
      this.#storage.checkouts.save({ ...open, checkout });
    };
    try {
      checkout = await runCheckout(ctx, checkout, save, reads);
    } catch (error) {
      if (error instanceof EarlierOrderSold) {
        throw await this.#completeEarlierSale(ctx, error, open);
      }
      if (isFinalRefusal(error)) this.#records.refuse({ ...open, checkout }, error);
      else this.#giveUpIfOverdue(ctx, { ...open, checkout });
      throw error;
    }
    if (!isCompleted(checkout)) this.#records.markUnpaid(open, checkout);
    const result = requireCheckoutResult(ctx, checkout);
    if (isCompleted(checkout)) this.#records.complete(ctx, open, { checkout, result });
    return result;
  }

  #giveUpIfOverdue(ctx: CheckoutContext, open: OpenCheckout): void {
    if (this.#records.isOverdue(open, ctx.now())) this.#records.giveUp(ctx, open);
  }

  /** Abandons a checkout whose order was paid on its own, and replaces its cart. */
  closePaid(ctx: Pick<Runtime, "now" | "newId">, open: OpenCheckout): void {
    this.#records.closePaid(ctx, open);
  }

  /**
   * Cancels the orders of an open checkout. If one of them was paid or accepted, completes the
   * checkout.
   */
  async abandonUnlessSold(ctx: CheckoutContext, open: OpenCheckout): Promise<"abandoned" | "sold"> {
    const outcome = await abandonCheckout(ctx, open.checkout);
    if (outcome === "abandoned") {
      this.#storage.checkouts.save({ ...open, status: "abandoned" });
    } else await this.runSteps(ctx, open);
    return outcome;
  }

  /**
   * Cancels the session's own orders that book an overlapping slot and are unpaid or failed to be
   * paid. Returns whether any order was cancelled.
   */
  async cancelConflictingOrders(ctx: CheckoutContext, slot: SlotAllocation): Promise<boolean> {
    const conflicting = this.#storage.checkouts
      .listOpenAndCompleted(ctx.now() - storedResponseTtlMs)
      .filter(({ checkout: { plan } }) =>
        plan.bookings.some(({ allocation }) => allocationsOverlap(allocation, slot)),
      );
    const completed = conflicting.filter((stored) => stored.status === "completed");
    const hasFailed = await cancelFailedOrders(
      ctx,
      completed.map(({ checkout }) => checkout),
    );
    const open = conflicting.find(isOpen);
    return (open && (await this.abandonUnlessSold(ctx, open)) === "abandoned") || hasFailed;
  }
}

/**
 * Whether an abandoned checkout's key may be used again. Keys are reserved while responses are
 * stored.
 */
const isKeyFree = ({ status, startedAt }: StoredCheckout, now: number): boolean =>
  status === "abandoned" && startedAt <= now - storedResponseTtlMs;

/** Whether the provider of an earlier order could not be asked, so that nothing may replace it. */
const isProviderUnavailable = (error: unknown): boolean =>
  error instanceof Refusal && error.context?.reason === "PROVIDER_UNAVAILABLE";

/**
 * Whether a retry would fail the same way: a business rule, a cancelled order, or an ended login.
 */
const isFinalRefusal = (error: unknown): boolean =>
  error instanceof Refusal &&
  (error.code === "BUSINESS_RULE_VIOLATION" ||
    error.code === "UNAUTHORIZED" ||
    (error.code === "CONFLICT" && error.retryable !== true));
