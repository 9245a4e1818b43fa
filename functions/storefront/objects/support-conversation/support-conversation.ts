import { DurableObject } from "cloudflare:workers";
import { createMeter, notFound, stackOf } from "../../../../shared/kernel/index.ts";
import {
  type Conversation,
  closed,
  type Draft,
  erased,
  type Message,
  newConversation,
  ofCustomer,
} from "../../../../shared/support/index.ts";
import { log } from "../../../runtime/log.ts";
import { alarmsOf } from "../../../runtime/objects/alarms.ts";
import {
  type Asked,
  type ConversationAgent,
  type ConversationCaller,
  type ConversationObject,
  type ConversationPage,
  type MessageRange,
  openingHeader,
  refusedOpening,
  type SocketOpening,
} from "../../../runtime/objects/conversation-object.ts";
import { type Outcome, outcomeOf, type Reply } from "../../../runtime/objects/reply.ts";
import { chance } from "../../../runtime/runtime.ts";
import type { StorefrontBindings } from "../../env.ts";
import type { Holder as SessionHolder } from "../cart-session/session-conversation.ts";
import { conversationChannel } from "./conversation-channel.ts";
import { frames } from "./conversation-frames.ts";
import { conversationHolder } from "./conversation-holder.ts";
import { conversationIndex } from "./conversation-index.ts";
import { auditOf, begun, post } from "./conversation-posts.ts";
import { conversationSockets, type Opener } from "./conversation-sockets.ts";
import { keptConversation } from "./kept-conversation.ts";

/** The conversation call's page (interface.md, Limits). */
const latest: MessageRange = { after: null, limit: 50 };

/**
 * One support thread, named by its id: a single writer gives its messages one order. It sleeps while
 * nobody speaks, and its sockets stay.
 */
export class SupportConversation
  extends DurableObject<StorefrontBindings>
  implements Omit<ConversationObject, "fetch">
{
  readonly #alarms = alarmsOf<"index" | "ping">(this.ctx.storage);
  readonly #kept = keptConversation(this.ctx.storage);
  readonly #holder = conversationHolder(this.ctx.storage);
  readonly #sockets = conversationSockets(this.ctx, chance.now);
  readonly #index = conversationIndex({
    kept: this.#kept,
    alarms: this.#alarms,
    env: this.env,
    now: chance.now,
  });
  readonly #parts = { kept: this.#kept, index: this.#index, sockets: this.#sockets };
  readonly #channel = conversationChannel({
    sockets: this.#sockets,
    alarms: this.#alarms,
    env: this.env,
    post: ({ role, keyId }, { content, client_id: clientId }) => {
      const author =
        role === "agent"
          ? ({ senderType: role, keyId: keyId ?? "" } as const)
          : ({ senderType: role } as const);
      return post(this.#parts, author, { content, clientId, attachments: [], requestKey: null });
    },
  });

  /** Finds the session's conversation, or begins it. */
  async open(caller: ConversationCaller): Promise<Reply<Asked<ConversationPage> | "stale">> {
    if (this.#isUnknownTo(caller)) return this.#openLater(caller);
    return this.#asked(caller, () => this.#page(latest));
  }

  async post(caller: ConversationCaller, draft: Draft): Promise<Reply<Asked<Message> | "stale">> {
    const meter = createMeter();
    await this.#channel.endRevoked(meter);
    const said = () => post(this.#parts, { senderType: "customer" }, draft);
    return { ...(await this.#asked(caller, said)), d1: meter.d1 };
  }

  messages(
    caller: ConversationCaller,
    range: MessageRange,
  ): Promise<Reply<Asked<readonly Message[]> | "stale">> {
    return this.#asked(caller, () => this.#read(range), { begins: false });
  }

  async raise(generation: number): Promise<void> {
    this.#holder.raise(generation, chance.now());
    this.#sockets.endBefore(generation);
  }

  async confirm(holder: SessionHolder): Promise<void> {
    this.#holder.confirm(holder, chance.now());
    this.#sockets.endBefore(holder.generation);
    this.#save(ofCustomer(begun(this.#kept), this.#holder.customerId()));
  }

  async read(businessId: string, range: MessageRange): Promise<Outcome<ConversationPage>> {
    return outcomeOf(async () => {
      this.#demand(businessId);
      return this.#page(range);
    });
  }

  async postAsAgent(
    { businessId, keyId }: ConversationAgent,
    draft: Draft,
  ): Promise<Reply<Message>> {
    const meter = createMeter();
    const outcome = await outcomeOf(async () => {
      this.#demand(businessId);
      await this.#channel.endRevoked(meter);
      return post(this.#parts, { senderType: "agent", keyId }, draft);
    });
    return { outcome, isReplay: false, d1: meter.d1 };
  }

  async close({ businessId, keyId }: ConversationAgent): Promise<Outcome<Conversation>> {
    return outcomeOf(async () => {
      const before = this.#demand(businessId);
      const after = closed(before);
      this.#save(after, () => {
        const [{ status: was }, { status }] = [before, after];
        const change = { before: { status: was }, after: { status } };
        this.#kept.addAudit(auditOf(before, keyId, { action: "conversation.closed", ...change }));
      });
      return after;
    });
  }

  async erase({ businessId, customerId }: Readonly<Record<"businessId" | "customerId", string>>) {
    const conversation = this.#kept.find();
    if (this.#kept.business()?.id !== businessId || conversation?.customerId !== customerId) return;
    this.#save(erased(conversation), () => {
      this.#holder.erase(customerId);
      this.#kept.removeMessages();
    });
    this.#sockets.endCustomers();
  }

  /** Opens a socket: the one thing that RPC cannot carry. Its Worker has let the caller in. */
  override async fetch(request: Request): Promise<Response> {
    // Safe: none but our Workers reach an object, and they write the header themselves.
    const { by, keyHash } = JSON.parse(request.headers.get(openingHeader) ?? "") as SocketOpening;
    if (by.role === "agent") {
      if (this.#kept.business()?.id !== by.agent.businessId) return refusal("unknown");
      return this.#connect({ role: by.role, generation: null, keyId: by.agent.keyId, keyHash });
    }
    const { caller } = by;
    const { outcome } = await this.#asked(caller, () => null);
    if (!outcome.ok || outcome.value === "stale") return refusal("stale");
    if (this.#holder.isOvertaken(caller.generation, chance.now())) return refusal("stale");
    return this.#connect({
      role: by.role,
      generation: caller.generation,
      keyId: null,
      keyHash,
    });
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    return this.#channel.receive(socket, data);
  }

  override webSocketClose(socket: WebSocket): void {
    this.#channel.leave(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.#channel.leave(socket);
  }

  /** Copies the record into the shop's list, and keeps sockets alive. */
  override async alarm(): Promise<void> {
    const handlers = { index: this.#index.copy, ping: () => this.#channel.ping() };
    await this.#alarms.ring(handlers, chance.now());
  }

  #connect(opening: Opener): Response {
    if (this.#sockets.isFull(opening.role)) return refusal("full");
    const webSocket = this.#sockets.accept(opening, frames.resync(begun(this.#kept)));
    this.#channel.watch();
    return new Response(null, { status: 101, webSocket });
  }

  /** Does what the session's holder asks, in a conversation that has begun unless it need not. */
  async #asked<T>(
    caller: ConversationCaller,
    work: () => T,
    { begins = true } = {},
  ): Promise<Reply<Asked<T> | "stale">> {
    const { isHolder, objects } = await this.#holds(caller);
    const outcome = await outcomeOf(async () => {
      if (!isHolder) return "stale" as const;
      if (begins) this.#begin(caller, chance.now());
      return { answer: work(), isConfirmed: true };
    });
    return { outcome, isReplay: false, d1: 0, do: objects };
  }

  /**
   * Answers for a conversation that has yet to begin, of a caller who has yet to be known: there is
   * nothing to tell, so it is not worth a second hop that the shopper would wait for. It begins
   * behind the answer, or with the next call.
   */
  async #openLater(caller: ConversationCaller): Promise<Reply<Asked<ConversationPage>>> {
    const now = chance.now();
    const begin = async () => {
      if (await this.#join(caller)) this.#begin(caller, now);
    };
    this.ctx.waitUntil(begin().catch(told));
    const conversation = newConversation(this.ctx.id.name ?? "", now);
    const answer = { conversation, messages: [] };
    const outcome = { ok: true, value: { answer, isConfirmed: false } } as const;
    return { outcome, isReplay: false, d1: 0 };
  }

  #isUnknownTo({ generation, isNew }: ConversationCaller): boolean {
    return !isNew && this.#kept.find() === null && !this.#holder.isConfirmed(generation);
  }

  /** Whether the caller holds the session; who has yet to be known is looked up there. */
  async #holds(
    caller: ConversationCaller,
  ): Promise<Readonly<{ isHolder: boolean; objects: number }>> {
    const isKnown = this.#holder.isConfirmed(caller.generation);
    if (!isKnown && !caller.isNew) return { isHolder: await this.#join(caller), objects: 1 };
    if (!isKnown || this.#holder.isToAskAgain(chance.now()))
      this.ctx.waitUntil(this.#join(caller).catch(told));
    return { isHolder: true, objects: 0 };
  }

  /** Asks the session's object whether the caller holds it; from then on it tells of changes. */
  async #join({ sessionId, generation, ownedSince }: ConversationCaller): Promise<boolean> {
    const session = this.env.CART_SESSION.getByName(sessionId);
    const joined = await session.joinConversation({ generation, ownedSince });
    if (joined === "stale") return false;
    this.#holder.confirm({ generation, ...joined }, chance.now());
    const conversation = this.#kept.find();
    if (conversation) this.#save(ofCustomer(conversation, this.#holder.customerId()));
    return true;
  }

  #begin({ business }: ConversationCaller, now: number): void {
    if (this.#kept.find() !== null) return;
    const conversation = newConversation(this.ctx.id.name ?? "", now);
    this.#kept.begin(ofCustomer(conversation, this.#holder.customerId()), business);
    this.#index.schedule();
  }

  /** Stores a changed record with what belongs to it, and tells the sockets; nothing for an unchanged one. */
  #save(after: Conversation, beside: () => void = () => {}): void {
    const before = begun(this.#kept);
    if (after.revision === before.revision) return;
    this.#kept.transaction(() => {
      beside();
      this.#kept.save(after);
      this.#index.schedule();
    });
    if (after.status !== before.status) this.#sockets.broadcast(frames.conversation(after));
  }

  /** @throws Refusal NOT_FOUND, for another business's as for one that never began. */
  #demand(businessId: string): Conversation {
    const conversation = this.#kept.find();
    if (conversation === null || this.#kept.business()?.id !== businessId)
      throw notFound("conversation");
    return conversation;
  }

  #page(range: MessageRange): ConversationPage {
    return { conversation: begun(this.#kept), messages: this.#read(range) };
  }

  #read({ after, limit }: MessageRange): readonly Message[] {
    return after === null ? this.#kept.latest(limit) : this.#kept.after(after, limit);
  }
}

const refusal = (why: keyof typeof refusedOpening): Response =>
  new Response(null, { status: refusedOpening[why] });

const told = (error: unknown): void => log("warn", "session not asked", { stack: stackOf(error) });
