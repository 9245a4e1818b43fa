import { DurableObject } from "cloudflare:workers";
import {
  type ActivityEvent,
  activityMigrations,
  activityRepo,
  isMessageCode,
  type Shopper,
} from "../../../../shared/activity/index.ts";
import {
  cartMigrations,
  cartRepo,
  linesWithLocation,
  type NewItem,
} from "../../../../shared/cart/index.ts";
import {
  type CheckoutContext,
  type CheckoutRequest,
  type CheckoutResult,
  checkoutMigrations,
  checkoutRepo,
  type StoredCheckout,
} from "../../../../shared/checkout/index.ts";
import type { Contact, Login } from "../../../../shared/customers/index.ts";
import { createMeter } from "../../../../shared/kernel/index.ts";
import { alarmsOf } from "../../../runtime/objects/alarms.ts";
import { keptStorage } from "../../../runtime/objects/expiring-storage.ts";
import { type Outcome, outcomeOf, type Reply } from "../../../runtime/objects/reply.ts";
import { serial } from "../../../runtime/objects/serial-queue.ts";
import {
  answerRepo,
  answersByAge,
  type IdempotentCall,
  rememberedMigrations,
} from "../../../runtime/objects/stored-answers.ts";
import { chance } from "../../../runtime/runtime.ts";
import type { StorefrontBindings } from "../../env.ts";
import { type CartAnswer, viewCart } from "../../views/cart.ts";
import { cartTransaction } from "./cart-transaction.ts";
import { cartWrites } from "./cart-writes.ts";
import { checkoutsOf } from "./checkouts.ts";
import { firstCart } from "./first-cart.ts";
import { sessionContext, whereItIs } from "./session-context.ts";
import { sessionConversation } from "./session-conversation.ts";
import { expireSession, sessionKeptMs } from "./session-expiry.ts";
import { type LoggedIn, sessionLogin } from "./session-login.ts";
import {
  type CallAnswers,
  type CallArgs,
  type CallName,
  type CheckoutCall,
  type CookieClaims,
  calledBy,
  type SessionCall,
  type SessionCalls,
  type SessionObject,
  type Stale,
} from "./session-object.ts";

/** Append-only as a whole: an object remembers how many of them it ran. */
const migrations = [
  ...cartMigrations,
  ...rememberedMigrations,
  ...checkoutMigrations,
  ...activityMigrations,
  ...answersByAge,
  ...linesWithLocation.map((converts) => ({ converts })),
];

/**
 * One shopper's session with one business, named by the session's id: its cart, its checkout in
 * flight and what it saw. A single writer, so that what it decided on cannot change under it.
 */
export class CartSession
  extends DurableObject<StorefrontBindings>
  implements SessionCalls, SessionObject
{
  readonly #alarms = alarmsOf<"checkout" | "conversation" | "expiry">(this.ctx.storage);
  readonly #kept = keptStorage(this.ctx.storage, {
    migrations,
    keptMs: sessionKeptMs,
    alarms: this.#alarms,
  });
  readonly #carts = cartRepo(this.#kept, () => firstCart(this.ctx.id));
  readonly #transaction = cartTransaction(this.ctx.storage, this.#carts);
  readonly #answers = answerRepo(this.#kept);
  readonly #activity = activityRepo(this.#kept);
  readonly #conversation = sessionConversation(this.ctx.storage, {
    kept: this.#kept,
    conversations: this.env.SUPPORT_CONVERSATION,
    alarms: this.#alarms,
    sessionId: () => this.ctx.id.name ?? "",
  });
  readonly #login = sessionLogin(this.ctx.storage, {
    kept: this.#kept,
    conversation: this.#conversation,
    sessionId: () => this.ctx.id.name ?? "",
  });
  readonly #inTurn = serial();
  readonly #checkouts = checkoutsOf({
    tables: this.#kept,
    alarms: this.#alarms,
    transaction: this.#transaction,
    carts: this.#carts,
    answers: this.#answers,
    checkouts: checkoutRepo(this.ctx.storage.sql),
    inTurn: this.#inTurn,
  });
  readonly #writes = cartWrites({
    kept: this.#kept,
    carts: this.#carts,
    answers: this.#answers,
    activity: this.#activity,
    checkouts: this.#checkouts,
    inTurn: this.#inTurn,
    contextOf: (call) => this.#context({ ...call, sessionId: this.ctx.id.name ?? "" }),
    change: (change) => this.#change(change),
  });

  async serve<Name extends CallName>(
    generation: number,
    name: Name,
    ...args: CallArgs[Name]
  ): Promise<CallAnswers[Name] | Stale> {
    if (!this.#login.isCurrent(generation)) return "stale";
    return calledBy(this, name, args);
  }

  async logIn(
    bearers: number,
    call: SessionCall,
    contact: Contact,
  ): Promise<Reply<LoggedIn | Stale>> {
    const meter = createMeter();
    const ctx = this.#context({ ...call, sessionId: this.ctx.id.name ?? "", meter });
    const outcome = await outcomeOf(() => this.#login.logIn(ctx, bearers, contact));
    if (outcome.ok && outcome.value !== "stale") {
      const { customer, generation, ownedSince } = outcome.value;
      const holder = { generation, customerId: customer.id };
      this.ctx.waitUntil(this.#conversation.confirm(ownedSince, holder));
    }
    return { outcome, isReplay: false, d1: meter.d1, do: meter.do };
  }

  async login(): Promise<Login | null> {
    this.#kept.use(chance.now());
    return this.#login.current();
  }

  async logOut(): Promise<Reply<null>> {
    let objects = 0;
    const outcome = await outcomeOf(async () => {
      objects = await this.#login.logOut(chance.now);
      return null;
    });
    return { outcome, isReplay: false, d1: 0, do: objects };
  }

  async joinConversation({
    generation,
    ownedSince,
  }: CookieClaims): Promise<Readonly<{ customerId: string | null }> | Stale> {
    if (!this.#login.isCurrent(generation) || this.#login.ownedSince() !== ownedSince) {
      return "stale";
    }
    this.#conversation.join(ownedSince, chance.now());
    return { customerId: this.#login.current()?.customerId ?? null };
  }

  async cart({ business }: Pick<SessionCall, "business">): Promise<Reply<CartAnswer>> {
    this.#kept.use(chance.now());
    const outcome = await outcomeOf(async () => viewCart(this.#carts.get(), business));
    return { outcome, isReplay: false, d1: 0 };
  }

  addItem(call: SessionCall, item: NewItem): Promise<Reply<CartAnswer>> {
    return this.#writes.addItem(call, item);
  }

  changeItem(
    call: SessionCall,
    item: { lineId: string; quantity: number },
  ): Promise<Reply<CartAnswer>> {
    return this.#writes.changeItem(call, item);
  }

  removeItem(call: SessionCall, lineId: string): Promise<Reply<CartAnswer>> {
    return this.#writes.removeItem(call, lineId);
  }

  clear(call: SessionCall): Promise<Reply<CartAnswer>> {
    return this.#writes.clear(call);
  }

  applyCoupon(call: SessionCall, code: string): Promise<Reply<CartAnswer>> {
    return this.#writes.applyCoupon(call, code);
  }

  removeCoupon(call: SessionCall): Promise<Reply<CartAnswer>> {
    return this.#writes.removeCoupon(call);
  }

  async checkout(call: CheckoutCall, request: CheckoutRequest): Promise<Reply<CheckoutResult>> {
    this.#kept.open(chance.now());
    const meter = createMeter();
    const login = this.#login.current();
    const ran = await outcomeOf(() =>
      this.#checkouts.run(
        this.#context({ ...call, sessionId: this.ctx.id.name ?? "", meter }),
        call.idempotent,
        request,
      ),
    );
    const reply = ran.ok ? ran.value : { outcome: ran, isReplay: false };
    if (login && isLoginsEnd(reply.outcome)) this.#login.end(login, chance.now());
    return { ...reply, d1: meter.d1 };
  }

  async shopper(): Promise<Shopper> {
    const now = chance.now();
    this.#kept.use(now);
    return { activity: this.#activity.read(now), cart: this.#carts.get() };
  }

  async recordActivity(
    events: readonly ActivityEvent[],
    requestKey: string | null,
  ): Promise<Shopper> {
    this.#kept.use(chance.now());
    const asked = requestKey === null ? null : recordingOf(requestKey);
    const isRepeat = asked !== null && this.#answers.find(asked, chance.now()) !== null;
    if (events.length > 0 && !isRepeat) {
      this.#change((now) => {
        this.#activity.record(events, now);
        if (asked) this.#answers.save(asked, { ok: true, value: null }, now);
      });
    }
    return this.shopper();
  }

  async dismissMessage(code: string): Promise<Shopper> {
    if (isMessageCode(code)) this.#change((now) => this.#activity.dismiss(code, now));
    return this.shopper();
  }

  /** Finishes what a crash left of a checkout; clears the session away when nobody uses it any more. */
  override async alarm(): Promise<void> {
    const contextFor = async ({ business, checkout: { plan } }: StoredCheckout) =>
      this.#context({
        business: await whereItIs(this.env, business),
        requestId: `alarm-${chance.now()}`,
        sessionId: plan.sessionId, // the object's name is unknown in an alarm
        meter: createMeter(),
      });
    const parts = {
      alarms: this.#alarms,
      kept: this.#kept,
      carts: this.#carts,
      login: this.#login,
      checkouts: this.#checkouts,
      inTurn: this.#inTurn,
    };
    await this.#alarms.ring(
      {
        checkout: () => this.#checkouts.resume(contextFor),
        conversation: () => this.#conversation.tellLeft(),
        expiry: () => expireSession(parts, chance.now, contextFor),
      },
      chance.now(),
    );
  }

  #context({
    sessionId,
    ...request
  }: Parameters<typeof sessionContext>[1] & Readonly<{ sessionId: string }>): CheckoutContext {
    const background = (work: Promise<unknown>) => this.ctx.waitUntil(work);
    const login = this.#login.current();
    return sessionContext({ env: this.env, background, sessionId, login }, request);
  }

  #change(change: (now: number) => void): void {
    const now = chance.now();
    this.#kept.open(now);
    this.#transaction(() => change(now));
  }
}

/** The key tells requests with other bodies apart by itself. */
const recordingOf = (requestKey: string): IdempotentCall => ({
  route: "POST /activity/events",
  key: requestKey,
  fingerprint: "",
});

/** Whether a checkout failed since its customer's logins were ended: from then on it is a guest's. */
const isLoginsEnd = (outcome: Outcome<unknown>): boolean =>
  !outcome.ok && outcome.refusal.code === "UNAUTHORIZED";
