import {
  type Cart,
  cartFromStored,
  holdRestoredSlots,
  type NewLine,
  restoreLines,
} from "../../../../shared/cart/index.ts";
import type { CheckoutContext } from "../../../../shared/checkout/index.ts";
import {
  conflict,
  findRefusal,
  minute,
  type Refusal,
  ruleViolation,
} from "../../../../shared/kernel/index.ts";
import {
  assertCustomerMayCancel,
  cancelUnpaidOrder,
  chosenDeliveryOf,
  configurationOf,
  type OrderDetails,
  type OrderLine,
  orderRepo,
  paymentInProgress,
} from "../../../../shared/orders/index.ts";
import { findAttempt, isSettled } from "../../../../shared/payments/index.ts";
import type { SessionCheckouts } from "./session-checkouts.ts";
import type { SessionLogin } from "./session-login.ts";
import type { SessionStorage } from "./session-storage.ts";

/** An order whose lines go back into the cart, and whether its bill_token was sent. */
export type ReopenedOrder = Readonly<{ orderId: string; proof: string | null }>;

/** A reopening that has begun. Until it is over the cart does not change. */
type PendingReopening = Readonly<{
  orderId: string;
  /** Stored with the order's cancellation, to tell it from others. */
  requestKey: string;
  /** The cart with the order's lines. */
  cart: Cart;
  /** For an alarm that finishes it without a request. */
  business: Readonly<{ id: string }>;
  sessionId: string;
}>;

/** Creates the context of a reopening that an alarm finishes; null when its business was erased. */
type CreateReopeningContext = (
  pending: Pick<PendingReopening, "business" | "sessionId">,
) => Promise<CheckoutContext | null>;

/** A reopening that a crash interrupted is finished by the alarm after this time. */
const resumeAfterMs = minute;
/** How many reopened orders a session remembers, so that a repeat changes nothing. */
const maxRemembered = 50;

type ReopeningParts = Readonly<{
  storage: SessionStorage;
  login: SessionLogin;
  checkouts: SessionCheckouts;
}>;

/**
 * Puts the lines of unpaid orders back into the session's cart. What the cart will be is stored
 * before the order is cancelled, and takes effect only when the cancellation is this one. Callers
 * run one at a time, in the session's queue.
 */
export class SessionReopening {
  readonly #objectStorage: DurableObjectStorage;
  readonly #parts: ReopeningParts;

  constructor(objectStorage: DurableObjectStorage, parts: ReopeningParts) {
    this.#objectStorage = objectStorage;
    this.#parts = parts;
  }

  /**
   * Cancels an order and puts its lines into the cart. A repeat changes nothing.
   *
   * @throws Refusal NOT_FOUND for another session or customer, INVALID_STATE for a paid or cancelled order,
   * CANCELLATION_WINDOW_CLOSED inside the notice period of a booking,
   * SERVICE_UNAVAILABLE when the provider does not answer, CONFLICT (retryable) while a checkout or
   * a payment runs, and as `restoreLines`.
   */
  async reopen(ctx: CheckoutContext, { orderId, proof }: ReopenedOrder): Promise<void> {
    const orders = orderRepo(ctx);
    const { sessionId } = ctx.actor.type === "session" ? ctx.actor : { sessionId: "" };
    const access = { sessionId, login: this.#parts.login.current() };
    const details =
      proof === null
        ? await orders.getOfSession(orderId, access)
        : await orders.getByToken(orderId, proof);
    if (this.#reopenedIds().includes(orderId)) return;
    const pending = this.#pending();
    if (pending && pending.orderId !== orderId) throw reopeningInProgress();
    await this.#finish(ctx, pending ?? (await this.#start(ctx, details, sessionId)), details);
  }

  /** Finishes what a crash interrupted. A refusal leaves it for the next alarm, or has ended it. */
  async resume(createContext: CreateReopeningContext): Promise<void> {
    const pending = this.#pending();
    if (pending === null) return this.#parts.storage.alarms.clear("reopening");
    const ctx = await createContext(pending);
    if (ctx === null) return this.#drop();
    try {
      await this.#finish(ctx, pending, await orderRepo(ctx).get(pending.orderId));
    } catch (error) {
      if (findRefusal(error) === null) throw error;
    }
  }

  async #start(
    ctx: CheckoutContext,
    details: OrderDetails,
    sessionId: string,
  ): Promise<PendingReopening> {
    const { storage, checkouts } = this.#parts;
    assertCanReopen(ctx, details);
    storage.open(ctx.now());
    if (checkouts.isRunning()) throw reopeningInProgress();
    const { id: orderId } = details.order;
    const cart = storage.carts.get();
    const ordered = storage.checkouts.findByOrder(orderId)?.checkout ?? null;
    const restored = await restoreLines(ctx, cart, {
      lines: ordered?.plan.lines.map(toNewLine) ?? details.order.lines.map(lineOfOrder),
      isSameCart: ordered?.request.cartId === cart.id,
      couponCodes: details.order.discounts.flatMap(({ code }) => code ?? []),
      delivery: chosenDeliveryOf(details.order),
    });
    const requestKey = `reopen.${ctx.newId("cart")}`;
    const business = { id: ctx.business.id };
    const pending = { orderId, requestKey, cart: restored, business, sessionId };
    storage.transact(() => this.#objectStorage.kv.put("reopening", pending));
    storage.alarms.set("reopening", ctx.now() + resumeAfterMs);
    return pending;
  }

  /** Cancels the order unless an earlier run has, and stores the cart with its lines. */
  async #finish(
    ctx: CheckoutContext,
    pending: PendingReopening,
    details: OrderDetails,
  ): Promise<void> {
    const { requestKey } = pending;
    if (!details.requests.some((request) => request.requestKey === requestKey)) {
      await this.#cancelOrder(ctx, pending, details);
    }
    // Only now, because the order booked the slots.
    const cart = await holdRestoredSlots(ctx, cartFromStored(pending.cart));
    const { storage } = this.#parts;
    storage.transact(() => {
      storage.carts.save(cart);
      const open = storage.checkouts.findOpen();
      if (open?.checkout.plan.orderId === pending.orderId) {
        storage.checkouts.save({ ...open, status: "abandoned" });
      }
      const remembered = [...this.#reopenedIds(), pending.orderId].slice(-maxRemembered);
      this.#objectStorage.kv.put("reopened", remembered);
      this.#objectStorage.kv.delete("reopening");
    });
    storage.alarms.clear("reopening");
  }

  async #cancelOrder(
    ctx: CheckoutContext,
    { requestKey }: PendingReopening,
    details: OrderDetails,
  ): Promise<void> {
    try {
      assertCanReopen(ctx, details);
      const after = await cancelUnpaidOrder(ctx, details, "Its items are back in the cart.", {
        initiator: "customer",
        requestKey,
      });
      if (after.order.status !== "cancelled") throw cannotReopen(after);
    } catch (error) {
      if (wroteNothing(error)) this.#drop();
      throw error;
    }
  }

  #drop(): void {
    this.#objectStorage.kv.delete("reopening");
    this.#parts.storage.alarms.clear("reopening");
  }

  #pending(): PendingReopening | null {
    return this.#objectStorage.kv.get<PendingReopening>("reopening") ?? null;
  }

  #reopenedIds(): readonly string[] {
    return this.#objectStorage.kv.get<readonly string[]>("reopened") ?? [];
  }
}

/** For calls that come while an order's lines go back into the cart. */
export const reopeningInProgress = (): Refusal =>
  conflict("The cart is being changed by another call; wait for it and try again.", {
    retryable: true,
  });

function assertCanReopen(ctx: CheckoutContext, details: OrderDetails): void {
  const { order, payment } = details;
  const isUnpaid = !isSettled(payment) && payment.mismatch === null;
  const isRenewal = order.lines.some(({ subscription }) => subscription?.type === "renewal");
  if (order.status !== "pending" || !isUnpaid || isRenewal) throw cannotReopen(details);
  const { leaseUntil = null } = findAttempt(details, payment.reference) ?? {};
  if (leaseUntil !== null && leaseUntil > ctx.now()) throw paymentInProgress();
  assertCustomerMayCancel(ctx, details);
}

const cannotReopen = ({ order, payment }: OrderDetails): Refusal =>
  ruleViolation(
    "INVALID_STATE",
    "Only a pending order that is not paid and came from a cart can go back into the cart.",
    { status: order.status, payment_status: payment.status },
  );

/** Whether the order is certainly as before, so that the cart stays as it is too. */
function wroteNothing(error: unknown): boolean {
  const refusal = findRefusal(error);
  return (
    refusal?.code === "CONFLICT" ||
    refusal?.code === "BUSINESS_RULE_VIOLATION" ||
    refusal?.context?.reason === "PROVIDER_UNAVAILABLE"
  );
}

const toNewLine = ({ configuration, quantity, snapshot }: NewLine): NewLine => ({
  configuration,
  quantity,
  snapshot,
});

const lineOfOrder = (line: OrderLine): NewLine => ({
  configuration: configurationOf(line),
  quantity: line.quantity,
  snapshot: {
    name: line.productName,
    variantId: line.variantId,
    variantName: line.variantName,
    unitPriceMinor: line.unitPriceMinor,
    parts: line.priceParts,
    lock: null,
  },
});
