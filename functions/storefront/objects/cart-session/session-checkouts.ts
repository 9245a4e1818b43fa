import type { CartContext } from "../../../../shared/cart/index.ts";
import {
  type CheckoutContext,
  type CheckoutResult,
  type OpenCheckout,
  orderIdsToReplace,
  type SentCheckoutRequest,
  type StoredCheckout,
} from "../../../../shared/checkout/index.ts";
import {
  conflict,
  findRefusal,
  type Refusal,
  type Runtime,
} from "../../../../shared/kernel/index.ts";
import type { SlotAllocation } from "../../../../shared/scheduling/index.ts";
import { captureOutcome, type Outcome, type SerialQueue } from "../../../runtime/objects/calls.ts";
import type { IdempotentRequest } from "../../../runtime/objects/stored-responses.ts";
import { CheckoutRunner } from "./checkout-runner.ts";
import type { SessionStorage } from "./session-storage.ts";

/** Creates the context of a checkout that an alarm resumes; null when its business was erased. */
export type CreateAlarmContext = (stored: StoredCheckout) => Promise<CheckoutContext | null>;

type ReplaceableOrders = Required<
  Pick<CartContext, "releaseConflictingOrders" | "replacedOrderIds">
>;

export type CheckoutRunReply = Readonly<{ outcome: Outcome<CheckoutResult>; isReplay: boolean }>;

/**
 * The checkouts of a session. Only one runs at a time. Each step is stored under the checkout's
 * Idempotency-Key, so that a repeated request or the alarm can resume the checkout.
 */
export class SessionCheckouts {
  readonly #storage: SessionStorage;
  readonly #queue: SerialQueue;
  readonly #runner: CheckoutRunner;
  /** True while this instance of the object runs the steps of a checkout. */
  #hasActiveRun = false;

  constructor(storage: SessionStorage, queue: SerialQueue) {
    this.#storage = storage;
    this.#queue = queue;
    this.#runner = new CheckoutRunner(storage);
  }

  /**
   * Whether a checkout runs or was interrupted by a crash. Then the cart must not change, because
   * the checkout continues with the cart that it was planned for.
   */
  isRunning(): boolean {
    return this.#hasActiveRun || this.#findOpen()?.status === "running";
  }

  /** Whether this instance of the object runs the steps of a checkout now. */
  hasActiveRun(): boolean {
    return this.#hasActiveRun;
  }

  /** Whether a checkout is open, that is, either running or not yet paid. */
  hasOpen(): boolean {
    return this.#hasActiveRun || this.#findOpen() !== null;
  }

  /** The status of the open checkout if it is of this order, else null. */
  statusOfOrder(orderId: string): OpenCheckout["status"] | null {
    const open = this.#findOpen();
    return open?.checkout.plan.orderId === orderId ? open.status : null;
  }

  /** Ends the unpaid checkout of an order whose payment was started on the order itself. */
  closePaid(orderId: string, ctx: Pick<Runtime, "now" | "newId">): void {
    const open = this.#findOpen();
    if (open?.checkout.plan.orderId !== orderId || this.isRunning()) return;
    this.#runner.closePaid(ctx, open);
  }

  /**
   * Resumes the checkout of the Idempotency-Key or starts a new one, after all earlier cart writes.
   * A repeated request gets the stored response.
   *
   * @throws Refusal CONFLICT (retryable) while another checkout runs.
   */
  async run(
    ctx: CheckoutContext,
    idempotent: IdempotentRequest,
    request: SentCheckoutRequest,
  ): Promise<CheckoutRunReply> {
    const stored = this.#storage.responses.find<CheckoutResult>(idempotent, ctx.now());
    if (stored) return { outcome: stored, isReplay: true };
    if (this.#hasActiveRun) throw checkoutInProgress();
    return this.#runAlone(async () => {
      await this.#finishCartWrites();
      const outcome = await captureOutcome(() =>
        this.#runner.resumeOrStart(ctx, idempotent, request),
      );
      if (!outcome.ok) {
        this.#storage.transact(() => {
          this.#storage.responses.save(idempotent, outcome, ctx.now());
        });
      }
      return { outcome, isReplay: false };
    });
  }

  /** Lets a cart write replace the unpaid orders of the same session. */
  replaceableOrders(createContext: () => CheckoutContext): ReplaceableOrders {
    return {
      releaseConflictingOrders: (slot) => this.#releaseConflictingOrders(createContext, slot),
      replacedOrderIds: () => {
        const open = this.#findOpen();
        return open ? orderIdsToReplace(open.checkout) : [];
      },
    };
  }

  /**
   * Resumes a checkout that a crash interrupted. If the checkout is refused, the next alarm tries
   * again.
   */
  async resume(createContext: CreateAlarmContext): Promise<void> {
    const { alarms, checkouts } = this.#storage;
    if (checkouts.findOpen()?.status !== "running") return alarms.clear("checkout");
    await this.#runUnlessActive(async () => {
      const open = checkouts.findOpen();
      if (open?.status !== "running") return;
      const ctx = await createContext(open);
      if (ctx) await this.#runner.runSteps(ctx, open);
      else checkouts.save({ ...open, status: "abandoned" });
    });
  }

  /** Completes or abandons the open checkout of an expired session. */
  async closeOpen(createContext: CreateAlarmContext): Promise<void> {
    await this.#runUnlessActive(async () => {
      const { checkouts } = this.#storage;
      const open = checkouts.findOpen();
      if (open === null) return;
      const ctx = await createContext(open);
      if (ctx === null) checkouts.save({ ...open, status: "abandoned" });
      else if (open.status === "running") await this.#runner.runSteps(ctx, open);
      else await this.#runner.abandonUnlessSold(ctx, open);
    });
  }

  /**
   * Cancels this session's orders that block the slot of a cart write. No checkout can start before
   * that cart write has finished.
   */
  async #releaseConflictingOrders(
    createContext: () => CheckoutContext,
    slot: SlotAllocation,
  ): Promise<boolean> {
    if (this.#hasActiveRun || !this.#storage.exists()) return false;
    return this.#runAlone(() => this.#runner.cancelConflictingOrders(createContext(), slot));
  }

  #findOpen(): OpenCheckout | null {
    return this.#storage.exists() ? this.#storage.checkouts.findOpen() : null;
  }

  #finishCartWrites(): Promise<void> {
    return this.#queue(async () => {});
  }

  async #runAlone<T>(work: () => Promise<T>): Promise<T> {
    this.#hasActiveRun = true;
    try {
      return await work();
    } finally {
      this.#hasActiveRun = false;
    }
  }

  /**
   * Runs work on the open checkout, unless a checkout is already running. After a refusal the
   * checkout stays open.
   */
  async #runUnlessActive(work: () => Promise<unknown>): Promise<void> {
    if (this.#hasActiveRun) return;
    await this.#runAlone(async () => {
      try {
        await this.#finishCartWrites();
        await work();
      } catch (error) {
        if (findRefusal(error) === null) throw error;
      }
    });
  }
}

/** The refusal of calls that arrive while a checkout of the cart runs. */
export const checkoutInProgress = (): Refusal =>
  conflict("A checkout of this cart is in progress; wait for it and try again.", {
    retryable: true,
  });
