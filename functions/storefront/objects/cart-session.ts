import { DurableObject } from "cloudflare:workers";
import {
  addItem,
  applyCoupon,
  type Cart,
  type CartContext,
  cartMigrations,
  cartRepo,
  changeItem,
  clearCart,
  emptyCart,
  type NewItem,
  removeCoupon,
  removeItem,
} from "../../../shared/cart/index.ts";
import {
  type CheckoutContext,
  type CheckoutRequest,
  type CheckoutResult,
  checkoutMigrations,
  checkoutRepo,
} from "../../../shared/checkout/index.ts";
import { conflict, type Meter, newMeter } from "../../../shared/kernel/index.ts";
import { chance } from "../../http/chance.ts";
import { migrate } from "../../objects/migrated.ts";
import { answerRepo, rememberedMigrations } from "../../objects/remembered.ts";
import { type Outcome, outcomeOf, type Reply } from "../../objects/reply.ts";
import { serial } from "../../objects/serial.ts";
import type { StorefrontBindings } from "../env.ts";
import { cartTransaction } from "./cart-transaction.ts";
import { checkoutsOf } from "./checkouts.ts";
import { sessionContext } from "./session-context.ts";
import type { CartWritten, CheckoutCall, SessionCall, SessionObject } from "./session-object.ts";

/**
 * One shopper's session with one business, named by the session's id: its cart and its checkout in
 * flight. A single writer, so that what it decided on cannot change under it.
 */
export class CartSession extends DurableObject<StorefrontBindings> implements SessionObject {
  readonly #carts = cartRepo(this.ctx.storage.sql, () =>
    emptyCart(chance.newId("cart"), chance.now()),
  );
  readonly #transaction = cartTransaction(this.ctx.storage, this.#carts);
  readonly #answers = answerRepo(this.ctx.storage.sql);
  readonly #inTurn = serial();
  readonly #checkouts = checkoutsOf({
    storage: this.ctx.storage,
    transaction: this.#transaction,
    carts: this.#carts,
    answers: this.#answers,
    checkouts: checkoutRepo(this.ctx.storage.sql),
    inTurn: this.#inTurn,
  });

  constructor(ctx: DurableObjectState, env: StorefrontBindings) {
    super(ctx, env);
    migrate(ctx.storage, [...cartMigrations, ...rememberedMigrations, ...checkoutMigrations]);
  }

  async cart(): Promise<Cart> {
    return this.#carts.get();
  }

  addItem(call: SessionCall, item: NewItem): Promise<Reply<CartWritten>> {
    return this.#write(call, async (ctx, cart) => {
      const added = await addItem(ctx, cart, item);
      return { cart: added.cart, lineId: added.line.id };
    });
  }

  changeItem(
    call: SessionCall,
    item: { lineId: string; quantity: number },
  ): Promise<Reply<CartWritten>> {
    return this.#write(call, async (ctx, cart) => ({
      cart: await changeItem(ctx, cart, item),
      lineId: item.lineId,
    }));
  }

  removeItem(call: SessionCall, lineId: string): Promise<Reply<CartWritten>> {
    return this.#write(call, async (ctx, cart) => ({
      cart: await removeItem(ctx, cart, lineId),
      lineId: null,
    }));
  }

  clear(call: SessionCall): Promise<Reply<CartWritten>> {
    return this.#write(call, async (ctx, cart) => ({ cart: clearCart(ctx, cart), lineId: null }));
  }

  applyCoupon(call: SessionCall, code: string): Promise<Reply<CartWritten>> {
    return this.#write(call, async (ctx, cart) => ({
      cart: await applyCoupon(ctx, cart, code),
      lineId: null,
    }));
  }

  removeCoupon(call: SessionCall): Promise<Reply<CartWritten>> {
    return this.#write(call, async (ctx, cart) => ({
      cart: await removeCoupon(ctx, cart),
      lineId: null,
    }));
  }

  async checkout(call: CheckoutCall, request: CheckoutRequest): Promise<Reply<CheckoutResult>> {
    const meter = newMeter();
    const ran = await outcomeOf(() =>
      this.#checkouts.run(this.#context(call, meter), call.idempotent, request),
    );
    const reply = ran.ok ? ran.value : { outcome: ran, isReplay: false };
    return { ...reply, d1: meter.d1 };
  }

  /** Finishes what a crash left of a checkout. */
  override async alarm(): Promise<void> {
    await this.#checkouts.resume((business) =>
      this.#context({ business, requestId: `alarm-${chance.now()}` }, newMeter()),
    );
  }

  #context(
    { business, requestId }: Pick<SessionCall, "business" | "requestId">,
    meter: Meter,
  ): CheckoutContext {
    const background = (work: Promise<unknown>) => this.ctx.waitUntil(work);
    const sessionId = this.ctx.id.name ?? this.ctx.id.toString();
    return sessionContext({ env: this.env, background, sessionId }, { business, requestId, meter });
  }

  /** One cart write: in turn, answered from memory when it is a repeat, stored together with its answer. */
  #write(
    call: SessionCall,
    change: (ctx: CartContext, cart: Cart) => Promise<CartWritten>,
  ): Promise<Reply<CartWritten>> {
    return this.#inTurn(async () => {
      const meter = newMeter();
      const repeated = await outcomeOf(async () => this.#earlier(call));
      if (!repeated.ok) return { outcome: repeated, isReplay: false, d1: 0 };
      if (repeated.value) return { outcome: repeated.value, isReplay: true, d1: 0 };
      const outcome = await outcomeOf(() => {
        if (this.#checkouts.isRunning()) throw checkingOut();
        return change(this.#context(call, meter), this.#carts.get());
      });
      this.#store(call, outcome);
      return { outcome, isReplay: false, d1: meter.d1 };
    });
  }

  #earlier({ idempotent }: SessionCall): Outcome<CartWritten> | null {
    return idempotent && this.#answers.find<CartWritten>(idempotent, chance.now());
  }

  #store({ idempotent }: SessionCall, outcome: Outcome<CartWritten>): void {
    this.#transaction(() => {
      if (outcome.ok) this.#carts.save(outcome.value.cart);
      if (idempotent) this.#answers.save(idempotent, outcome, chance.now());
    });
  }
}

const checkingOut = () =>
  conflict("A checkout of this cart is under way; wait for it and try again.", { retryable: true });
