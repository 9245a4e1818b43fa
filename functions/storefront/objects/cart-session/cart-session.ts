import { DurableObject } from "cloudflare:workers";
import type { AgentSession } from "../../../../shared/agents/index.ts";
import { createMeter } from "../../../../shared/database/index.ts";
import { hasCounts, second } from "../../../../shared/kernel/index.ts";
import { scheduleHandOver } from "../../../runtime/metrics/hand-over.ts";
import type {
  AgentCallName,
  AgentObjectCall,
  AgentSessionInputs,
  AgentSessionObject,
  ContinuedSession,
} from "../../../runtime/objects/agent-session-object.ts";
import { captureOutcome, type Reply } from "../../../runtime/objects/calls.ts";
import { fromSentBusiness, type SentCall } from "../../../runtime/objects/sent-business.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { settingsOf } from "../../../runtime/settings.ts";
import type { StorefrontBindings } from "../../env.ts";
import { agentCallHandler } from "./agents/agent-call-handlers.ts";
import { continueAgentSession } from "./agents/continue-agent-session.ts";
import { Session, type SessionCall } from "./session.ts";
import {
  type CookieClaims,
  type SessionCallName,
  type SessionInput,
  type SessionObject,
  type SessionResult,
  type Stale,
  sessionCallHandler,
} from "./session-calls.ts";
import type { CreateAlarmContext } from "./session-checkouts.ts";
import { expireSession } from "./session-expiry.ts";
import type { LoggedIn, LoginProof } from "./session-login.ts";

/** Short, because the object may be evicted. The sales of an isolate in this time share a call. */
const handOverAfterMs = second;

/**
 * A shopper's session with one business: cart, open checkout, login and activity. The object's name
 * is the session's id. Only this object writes that data.
 */
export class CartSession
  extends DurableObject<StorefrontBindings>
  implements SessionObject, AgentSessionObject
{
  readonly #session = new Session(this.ctx, () => this.env);

  async run<N extends SessionCallName>(
    generation: number,
    name: N,
    sent: SentCall<SessionCall>,
    input: SessionInput<N>,
  ): Promise<Reply<SessionResult<N>> | Stale> {
    if (!this.#session.login.isCurrent(generation)) return "stale";
    try {
      const call = { ...sent, business: fromSentBusiness(sent.business) };
      return await sessionCallHandler(name)(this.#session, call, input);
    } finally {
      this.#handOverCounts();
    }
  }

  /**
   * Hands over the orders and charges that a call counted. Requests do that too, but this isolate may
   * get none.
   */
  #handOverCounts(): void {
    const { metricsIntervalMs } = settingsOf(this.env);
    if (metricsIntervalMs === 0 || !hasCounts()) return;
    scheduleHandOver(this.env, {
      intervalMs: Math.min(metricsIntervalMs, handOverAfterMs),
      waitUntil: (work) => this.ctx.waitUntil(work),
    });
  }

  async logIn(
    generation: number,
    sent: SentCall<SessionCall>,
    proof: LoginProof,
  ): Promise<Reply<LoggedIn | Stale>> {
    const { login, conversation } = this.#session;
    const call = { ...sent, business: fromSentBusiness(sent.business) };
    if (login.isCurrent(generation)) this.#session.joinFirstConversation(call);
    const meter = createMeter();
    const ctx = this.#session.createContext({ ...call, meter });
    const outcome = await captureOutcome(() => login.logIn(ctx, generation, proof));
    if (outcome.ok && outcome.value !== "stale") {
      const { customer, ownedSince } = outcome.value;
      const holder = { generation: outcome.value.generation, customerId: customer.id };
      this.ctx.waitUntil(conversation.confirm(ownedSince, holder, proof.socketId));
    }
    return { outcome, isReplay: false, d1: meter.d1, do: meter.do };
  }

  async joinConversation({
    generation,
    ownedSince,
  }: CookieClaims): Promise<Readonly<{ customerId: string | null }> | Stale> {
    const { login, conversation } = this.#session;
    if (!login.isCurrent(generation) || login.ownedSince() !== ownedSince) return "stale";
    conversation.join(ownedSince, runtime.now());
    return { customerId: login.current()?.customerId ?? null };
  }

  /** Runs a call of the agent that created the session. */
  async runForAgent<N extends AgentCallName>(
    name: N,
    sent: SentCall<AgentObjectCall>,
    input: AgentSessionInputs[N],
  ): Promise<Reply<AgentSession>> {
    try {
      const call = { ...sent, business: fromSentBusiness(sent.business) };
      return await agentCallHandler(name)(this.#session, call, input);
    } finally {
      this.#handOverCounts();
    }
  }

  async continueAgentSession(business: Readonly<{ id: string }>): Promise<ContinuedSession | null> {
    return continueAgentSession(this.#session, business);
  }

  /** Resumes an interrupted checkout, and deletes the session when it has expired. */
  override async alarm(): Promise<void> {
    const { storage, checkouts, conversation, queue, reopening } = this.#session;
    const createContext: CreateAlarmContext = (stored) => this.#session.createAlarmContext(stored);
    await storage.alarms.runDue(
      {
        checkout: () => checkouts.resume(createContext),
        conversation: () => conversation.notifyLeft(),
        reopening: () =>
          queue(() => reopening.resume((pending) => this.#session.createLaterContext(pending))),
        expiry: () => expireSession(this.#session, runtime.now, createContext),
      },
      runtime.now(),
    );
    this.#handOverCounts();
  }
}
