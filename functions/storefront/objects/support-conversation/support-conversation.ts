import { DurableObject } from "cloudflare:workers";
import { createMeter } from "../../../../shared/database/index.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import {
  type Conversation,
  type Draft,
  pingIntervalMs,
  type SupportMessage,
  withConversationClosed,
  withCustomer,
  withMessagesRead,
  withoutConversationData,
} from "../../../../shared/support/index.ts";
import { createAlarms } from "../../../runtime/objects/alarms.ts";
import { captureOutcome, type Outcome, type Reply } from "../../../runtime/objects/calls.ts";
import {
  type ConversationAgent,
  type ConversationCaller,
  type ConversationObject,
  type ConversationPage,
  type CustomerSocketRequest,
  type MessageRange,
  readSocketRequest,
  refuseSocket,
  type SessionReply,
  type SocketTicket,
} from "../../../runtime/objects/conversation-object.ts";
import { runtime } from "../../../runtime/runtime.ts";
import type { StorefrontBindings } from "../../env.ts";
import type { SessionHolder } from "../cart-session/session-conversation.ts";
import { createConversationChannel } from "./conversation-channel.ts";
import { expireIfEmpty } from "./conversation-expiry.ts";
import { frames } from "./conversation-frames.ts";
import { createListSync } from "./conversation-list-sync.ts";
import { createConversationSockets, type SocketOpener } from "./conversation-sockets.ts";
import { createConversationStore } from "./conversation-store.ts";
import { createHolderCalls } from "./holder-calls.ts";
import { conversationAuditEntry, postToConversation } from "./post-to-conversation.ts";
import { createSessionHolderCache } from "./session-holder.ts";
import { createSocketTickets } from "./socket-tickets.ts";

/** The messages that `open` returns. */
const latestMessages: MessageRange = { after: null, limit: 50 };

/**
 * One support conversation; the object's name is the conversation's id. All messages pass through
 * this object, so they have one order. The object can hibernate while its sockets stay open.
 */
export class SupportConversation
  extends DurableObject<StorefrontBindings>
  implements Omit<ConversationObject, "fetch">
{
  readonly #alarms = createAlarms<"listCopy" | "ping" | "expiry">(
    this.ctx.storage,
    new Map([["ping", pingIntervalMs]]),
  );
  readonly #store = createConversationStore(this.ctx.storage);
  readonly #holder = createSessionHolderCache({
    storage: this.ctx.storage,
    sessions: this.env.CART_SESSION,
    waitUntil: (work) => this.ctx.waitUntil(work),
    onConfirmed: () => {
      const conversation = this.#store.find();
      if (conversation) this.#save(withCustomer(conversation, this.#holder.customerId()));
    },
    onUnannounced: (generation) => this.#sockets.revokeEarlierGenerations(generation, null),
  });
  readonly #sockets = createConversationSockets(this.ctx);
  readonly #tickets = createSocketTickets(this.ctx.storage);
  readonly #listSync = createListSync({
    store: this.#store,
    alarms: this.#alarms,
    env: this.env,
    now: runtime.now,
    waitUntil: (work) => this.ctx.waitUntil(work),
  });
  readonly #calls = createHolderCalls({
    conversationId: this.ctx.id.name ?? "",
    store: this.#store,
    holder: this.#holder,
    alarms: this.#alarms,
    listSync: this.#listSync,
  });
  readonly #parts = { store: this.#store, listSync: this.#listSync, sockets: this.#sockets };
  readonly #channel = createConversationChannel({
    sockets: this.#sockets,
    alarms: this.#alarms,
    env: this.env,
    businessId: () => this.#store.business()?.id ?? null,
    post: ({ role, keyId }, { content, client_id: clientId }) => {
      const author =
        role === "agent"
          ? ({ senderType: role, keyId: keyId ?? "" } as const)
          : ({ senderType: role } as const);
      const draft = { content, clientId, attachments: [], requestKey: null };
      return postToConversation(this.#parts, author, draft);
    },
  });

  /** Returns the conversation of the session, and creates it at the first call. */
  async open(caller: ConversationCaller): Promise<SessionReply<ConversationPage>> {
    const isUnconfirmed = !caller.isNew && !this.#holder.isConfirmed(caller.generation);
    if (isUnconfirmed && this.#store.find() === null) return this.#calls.openInBackground(caller);
    return this.#calls.run(caller, () => {
      this.#store.noteShopperSeen(runtime.now());
      return this.#page(latestMessages);
    });
  }

  async post(caller: ConversationCaller, draft: Draft): Promise<SessionReply<SupportMessage>> {
    const meter = createMeter();
    await this.#channel.closeRevoked(meter);
    const post = () => postToConversation(this.#parts, { senderType: "customer" }, draft);
    return { ...(await this.#calls.run(caller, post)), d1: meter.d1 };
  }

  listMessages(
    caller: ConversationCaller,
    range: MessageRange,
  ): Promise<SessionReply<readonly SupportMessage[]>> {
    const readMessages = () => {
      this.#store.noteShopperSeen(runtime.now());
      return this.#messages(range);
    };
    return this.#calls.run(caller, readMessages, { creates: false });
  }

  async isShopperAway(businessId: string, since: number): Promise<boolean> {
    if (this.#store.business()?.id !== businessId) return false;
    const isConnected = this.#sockets.all().some(({ role }) => role === "customer");
    return !isConnected && this.#store.shopperSeenAt() < since;
  }

  async revokeEarlierGenerations(
    generation: number,
    keptSocketId: string | null = null,
  ): Promise<void> {
    this.#holder.revokeEarlierGenerations(generation);
    this.#sockets.revokeEarlierGenerations(generation, keptSocketId);
  }

  async confirmHolder(holder: SessionHolder, keptSocketId: string | null): Promise<void> {
    const conversation = this.#store.requireConversation();
    this.#holder.confirm(holder);
    this.#sockets.continueAfterLogin(holder.generation, { keptSocketId, conversation });
    this.#save(withCustomer(conversation, this.#holder.customerId()));
  }

  async read(businessId: string, range: MessageRange): Promise<Outcome<ConversationPage>> {
    return captureOutcome(async () => {
      this.#requireOwned(businessId);
      return this.#page(range);
    });
  }

  async postAsAgent(
    { businessId, keyId }: ConversationAgent,
    draft: Draft,
  ): Promise<Reply<SupportMessage>> {
    const meter = createMeter();
    const outcome = await captureOutcome(async () => {
      this.#requireOwned(businessId);
      await this.#channel.closeRevoked(meter);
      return postToConversation(this.#parts, { senderType: "agent", keyId }, draft);
    });
    return { outcome, isReplay: false, d1: meter.d1 };
  }

  async addTicket(agent: ConversationAgent, ticket: SocketTicket): Promise<Outcome<null>> {
    return captureOutcome(async () => {
      this.#requireOwned(agent.businessId);
      this.#tickets.add(agent, ticket);
      return null;
    });
  }

  async markRead(businessId: string, until: number | null): Promise<Outcome<Conversation>> {
    return captureOutcome(async () => {
      const before = this.#requireOwned(businessId);
      const unreadCount = until === null ? 0 : this.#store.countFromCustomerAfter(until);
      const after = withMessagesRead(before, unreadCount);
      this.#save(after);
      return after;
    });
  }

  async close({ businessId, keyId }: ConversationAgent): Promise<Outcome<Conversation>> {
    return captureOutcome(async () => {
      const before = this.#requireOwned(businessId);
      const after = withConversationClosed(before);
      this.#save(after, () => {
        const change = { before: { status: before.status }, after: { status: after.status } };
        this.#store.addAuditEntry(
          conversationAuditEntry(before, keyId, { action: "conversation.closed", ...change }),
        );
      });
      return after;
    });
  }

  async erase({ businessId, customerId }: Readonly<Record<"businessId" | "customerId", string>>) {
    const conversation = this.#store.find();
    if (this.#store.business()?.id !== businessId) return;
    if (conversation?.customerId !== customerId) return;
    this.#save(withoutConversationData(conversation), () => {
      this.#holder.erase(customerId);
      this.#store.deleteMessages();
    });
    this.#sockets.closeCustomerSockets();
  }

  async eraseAll(businessId: string): Promise<void> {
    if (this.#store.business()?.id !== businessId) return;
    this.#sockets.closeAll();
    await this.#store.wipe();
  }

  /** Opens a socket, which RPC cannot return. The calling Worker has authenticated the caller. */
  override async fetch(request: Request): Promise<Response> {
    const opening = readSocketRequest(request);
    switch (opening.role) {
      case "customer":
        return this.#openCustomerSocket(opening);
      case "agent":
        return this.#openAgentSocket(opening.agent, opening.keyHash);
      case "ticket": {
        const redeemed = this.#tickets.redeem(opening);
        const isValid = redeemed && (await this.#channel.isKeyValid(redeemed.keyHash));
        return isValid
          ? this.#openAgentSocket(redeemed.agent, redeemed.keyHash)
          : refuseSocket("stale");
      }
    }
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

  override async alarm(): Promise<void> {
    const now = runtime.now();
    const handlers = {
      listCopy: this.#listSync.copyNow,
      ping: () => this.#channel.ping(now),
      expiry: () => expireIfEmpty({ ...this.#parts, alarms: this.#alarms }),
    };
    await this.#alarms.runDue(handlers, now);
  }

  async #openCustomerSocket({ caller, keyHash }: CustomerSocketRequest): Promise<Response> {
    const { outcome } = await this.#calls.run(caller, () => null);
    if (!outcome.ok || outcome.value === "stale") return refuseSocket("stale");
    const { generation } = caller;
    if (this.#holder.isBeingReplaced(generation)) return refuseSocket("stale");
    return this.#openSocket({ role: "customer", generation, keyId: null, keyHash });
  }

  #openAgentSocket({ businessId, keyId }: ConversationAgent, keyHash: string): Response {
    if (this.#store.business()?.id !== businessId) return refuseSocket("unknown");
    return this.#openSocket({ role: "agent", generation: null, keyId, keyHash });
  }

  #openSocket(opener: SocketOpener): Response {
    if (this.#sockets.isFull(opener.role)) return refuseSocket("full");
    const webSocket = this.#sockets.accept(opener, this.#store.requireConversation());
    this.#channel.schedulePing();
    return new Response(null, { status: 101, webSocket });
  }

  /**
   * Stores a changed conversation and runs `otherWrites` in the same transaction. Does nothing when
   * the conversation has not changed.
   */
  #save(after: Conversation, otherWrites: () => void = () => {}): void {
    const before = this.#store.requireConversation();
    if (after.revision === before.revision) return;
    this.#store.transaction(() => {
      otherWrites();
      this.#store.save(after);
      this.#listSync.schedule();
    });
    if (after.status !== before.status) this.#sockets.broadcast(frames.conversation(after));
  }

  /**
   * @throws Refusal NOT_FOUND when the conversation does not exist or belongs to another business.
   */
  #requireOwned(businessId: string): Conversation {
    const conversation = this.#store.find();
    if (conversation === null || this.#store.business()?.id !== businessId)
      throw notFound("conversation");
    return conversation;
  }

  #page(range: MessageRange): ConversationPage {
    return { conversation: this.#store.requireConversation(), messages: this.#messages(range) };
  }

  #messages({ after, limit }: MessageRange): readonly SupportMessage[] {
    return after === null ? this.#store.listLatest(limit) : this.#store.listAfter(after, limit);
  }
}
