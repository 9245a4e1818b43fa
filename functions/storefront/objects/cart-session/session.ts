import { type Business, businessRepo } from "../../../../shared/businesses/index.ts";
import type {
  CheckoutContext,
  CheckoutResult,
  SentCheckoutRequest,
  StoredCheckout,
} from "../../../../shared/checkout/index.ts";
import { loginOf } from "../../../../shared/customers/index.ts";
import {
  createMeter,
  type Meter,
  openDb,
  shardsOf,
  shopOf,
} from "../../../../shared/database/index.ts";
import { type Actor, hmacSha256 } from "../../../../shared/kernel/index.ts";
import { createTaxReader } from "../../../../shared/tax/index.ts";
import type { ApiBindings } from "../../../runtime/bindings.ts";
import {
  captureOutcome,
  createSerialQueue,
  type Outcome,
  type Reply,
  type SerialQueue,
} from "../../../runtime/objects/calls.ts";
import type { ConversationBinding } from "../../../runtime/objects/conversation-object.ts";
import type { IdempotentRequest } from "../../../runtime/objects/stored-responses.ts";
import { createOutboxWaker } from "../../../runtime/outbox-wakeup.ts";
import { fxProviderFor } from "../../../runtime/providers/fx-providers.ts";
import { createProviderLookup } from "../../../runtime/providers/payment-providers.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { settingsOf } from "../../../runtime/settings.ts";
import type { PublicAddress } from "../../../wire/fields.ts";
import {
  catalogueDelivery,
  catalogueOffers,
  catalogueProducts,
  catalogueTaxRates,
  customerGroups,
  prefetchCustomerGroups,
} from "../../cache/isolate-caches.ts";
import { isAgentKey } from "./agents/agent-completion-key.ts";
import { agentActor } from "./agents/agent-record.ts";
import { findPreparingAgent } from "./agents/preparing-agent.ts";
import { checkoutRoute } from "./checkout-records.ts";
import { SessionCheckouts } from "./session-checkouts.ts";
import { SessionConversation } from "./session-conversation.ts";
import { SessionLogin } from "./session-login.ts";
import { reopeningInProgress, SessionReopening } from "./session-reopening.ts";
import { SessionStorage } from "./session-storage.ts";

/** The data that every call of a session's object carries. */
export type SessionCall = Readonly<{
  business: Business;
  requestId: string;
  /** The caller's network, for the limits per address. */
  network: string;
  /** Where the caller reached this service, for the URLs of images. */
  address: PublicAddress;
  idempotent: IdempotentRequest | null;
  /** Whether the session's token says that the session began with its conversation. */
  beganWithConversation?: boolean;
}>;

/**
 * A checkout request with its idempotency key. Without a key from the caller, a new key is
 * generated.
 */
export type CheckoutInput = Readonly<{
  request: SentCheckoutRequest;
  key: string;
  fingerprint: string;
}>;

type SessionBindings = ApiBindings & Readonly<{ SUPPORT_CONVERSATION: ConversationBinding }>;

type ContextRequest = Readonly<{
  business: Business;
  requestId: string;
  meter: Meter;
  /** Left out where no caller causes the work. */
  network?: string;
  /** The session's id, for alarms, in which the object does not know its own name. */
  sessionId?: string;
  /** Left out for the session's shopper. */
  actor?: Actor;
}>;

/** The context of use cases that take no payment. */
export type SessionContext = Omit<CheckoutContext, "providers" | "fx">;

/** The parts of a shopper's session that the calls of its object use. */
export class Session {
  readonly storage: SessionStorage;
  readonly login: SessionLogin;
  readonly conversation: SessionConversation;
  readonly checkouts: SessionCheckouts;
  readonly reopening: SessionReopening;
  /** Runs cart writes one after the other. */
  readonly queue: SerialQueue = createSerialQueue();
  readonly #state: DurableObjectState;
  readonly #env: () => SessionBindings;
  /** How many calls of agents are completing or canceling the checkout in this instance. */
  #agentEndings = 0;

  /** @param env is called at every use, so that a test can replace the object's bindings. */
  constructor(state: DurableObjectState, env: () => SessionBindings) {
    const sessionId = () => this.id();
    this.#state = state;
    this.#env = env;
    this.storage = new SessionStorage(state);
    this.conversation = new SessionConversation(state.storage, {
      storage: this.storage,
      conversations: env().SUPPORT_CONVERSATION,
      sessionId,
    });
    this.login = new SessionLogin(state.storage, {
      storage: this.storage,
      conversation: this.conversation,
      sessionId,
    });
    this.checkouts = new SessionCheckouts(this.storage, this.queue);
    this.reopening = new SessionReopening(state.storage, {
      storage: this.storage,
      login: this.login,
      checkouts: this.checkouts,
    });
  }

  /**
   * Checks the cart out. If all logins of the customer were ended, the session becomes anonymous.
   */
  async checkOut(
    call: SessionCall,
    { request, key, fingerprint }: CheckoutInput,
  ): Promise<Reply<CheckoutResult>> {
    this.storage.open(runtime.now());
    const meter = createMeter();
    const login = this.login.current();
    const idempotent = { route: checkoutRoute, key, fingerprint };
    const agent = findPreparingAgent(this.storage, {
      ...{ businessId: call.business.id, cartId: request.cartId, sessionId: this.id() },
    });
    const outcome = await captureOutcome(async () => {
      if (this.storage.isReopening()) throw reopeningInProgress();
      return this.checkouts.run(
        this.createCheckoutContext({ ...call, meter }),
        idempotent,
        agent ? { ...request, agent } : request,
      );
    });
    const reply = outcome.ok ? outcome.value : { outcome, isReplay: false };
    if (!reply.outcome.ok) this.storage.expireIfEmpty();
    if (login && isLoginEnded(reply.outcome)) this.login.endLogin(login, runtime.now());
    return { ...reply, d1: meter.d1 };
  }

  /**
   * Stores the conversation that the session began with. Call it after the generation of the
   * caller's token was checked, and before the session's generation changes.
   */
  joinFirstConversation({ beganWithConversation = false }: SessionCall): void {
    if (beganWithConversation) this.conversation.join(this.login.ownedSince(), runtime.now());
  }

  /** The context for the use cases of one call. */
  createContext({
    business,
    requestId,
    meter,
    network,
    sessionId = this.id(),
    actor = this.login.actorIn(sessionId),
  }: ContextRequest): SessionContext {
    const db = openDb(this.#shopOf(business), meter);
    const reader = { db, business, now: runtime.now };
    const customerId = loginOf(actor)?.customerId ?? null;
    return {
      ...runtime,
      requestId,
      business,
      actor,
      db,
      meter,
      wakeOutboxWorker: () => createOutboxWaker(this.#env().EVENTS, business, this.#background)(),
      digestCallerAddress: async () =>
        network === undefined
          ? null
          : hmacSha256(
              settingsOf(this.#env()).sessionSecret,
              JSON.stringify(["unpaid", business.id, network]),
            ),
      findProducts: (ids, couponCodes = [], prefetches = []) =>
        catalogueProducts.find(reader, ids, [
          ...catalogueOffers.prefetch(reader, couponCodes),
          ...prefetchCustomerGroups(reader, customerId, couponCodes),
          ...prefetches,
        ]),
      delivery: catalogueDelivery(reader),
      tax: createTaxReader({ ...reader, actor }, catalogueTaxRates),
      findDeals: (couponCodes) => catalogueOffers.find(reader, couponCodes),
      ...(customerId !== null && {
        findCustomerGroups: () => customerGroups.find(reader, customerId),
      }),
      readCatalogue: async (ids, couponCodes, prefetches) => {
        const deals = catalogueOffers.prefetchCurrent(reader, couponCodes);
        const products = await catalogueProducts.findCurrent(reader, ids, [deals, ...prefetches]);
        return { products, offer: await deals.load() };
      },
    };
  }

  /** Like `createContext`, with the business's payment and exchange-rate providers. */
  createCheckoutContext(request: ContextRequest): CheckoutContext {
    const { business } = request;
    const settings = settingsOf(this.#env());
    return {
      ...this.createContext(request),
      providers: createProviderLookup(business, {
        core: this.#env().CORE,
        shop: this.#shopOf(business),
        settings,
      }),
      fx: fxProviderFor(business, { settings, background: this.#background }),
    };
  }

  /** The context of a checkout that an alarm resumes; null when its business was erased. */
  createAlarmContext({ key, business, checkout }: StoredCheckout): Promise<CheckoutContext | null> {
    const { sessionId } = checkout.plan;
    const agent = isAgentKey(key) ? this.storage.agents.find() : null;
    const actor = agent && agentActor(agent, sessionId);
    return this.createLaterContext({ business, sessionId, ...(actor && { actor }) });
  }

  /**
   * The context of work that an alarm resumes; null when the business was erased. The business may
   * have moved to another shard or have been suspended since the work started.
   */
  async createLaterContext({
    business,
    ...request
  }: Readonly<{ business: Readonly<{ id: string }> }> &
    Pick<ContextRequest, "actor" | "sessionId">): Promise<CheckoutContext | null> {
    const core = openDb(this.#env().CORE, createMeter());
    const current = await businessRepo(core).find(business.id);
    if (current === null) return null;
    return this.createCheckoutContext({
      business: current,
      requestId: `alarm-${runtime.now()}`,
      ...request,
      meter: createMeter(),
    });
  }

  /** Whether an agent completes or cancels the checkout, so that its other writes must wait. */
  isEndingForAgent(): boolean {
    return this.#agentEndings > 0;
  }

  /** Runs work that ends an agent's checkout, after its earlier writes and before later ones. */
  async endForAgent<T>(work: () => Promise<T>): Promise<T> {
    this.#agentEndings += 1;
    try {
      await this.queue(async () => {});
      return await work();
    } finally {
      this.#agentEndings -= 1;
    }
  }

  readonly #background = (work: Promise<unknown>): void => this.#state.waitUntil(work);

  #shopOf(business: Business): D1Database {
    const env = this.#env();
    return shopOf(shardsOf(env, settingsOf(env).shopShards), business);
  }

  /**
   * The object's name, which is the session's id. Empty in an alarm, where the name is not
   * available.
   */
  id(): string {
    return this.#state.id.name ?? "";
  }
}

const isLoginEnded = (outcome: Outcome<unknown>): boolean =>
  !outcome.ok && outcome.refusal.code === "UNAUTHORIZED";
