import type {
  Contact,
  Customer,
  CustomerIdQuery,
  Login,
} from "../../../../shared/customers/index.ts";
import type { Meter } from "../../../../shared/database/index.ts";
import type { Actor } from "../../../../shared/kernel/index.ts";
import { logInWithContact } from "../../../../shared/orders/index.ts";
import { uploadRepo } from "../../../../shared/uploads/index.ts";
import { captureOutcome, type Reply } from "../../../runtime/objects/calls.ts";
import { uploadOwnerOf } from "../../session-id.ts";
import type { SessionConversation } from "./session-conversation.ts";
import type { SessionStorage } from "./session-storage.ts";

/** The stored login of a session. Only cookies with this generation are accepted. */
type StoredLogin = Readonly<{
  generation: number;
  login: Login | null;
  /** The customer who logged in last. Stays set after a logout. */
  owner: string | null;
  /** The generation in which `owner` first logged in to this session. */
  ownedSince: number;
}>;

/** The state of a session without any login or logout. This state is not stored. */
const noLogin: StoredLogin = { generation: 0, login: null, owner: null, ownedSince: 0 };

/** A customer who logged in, and the session's new generation. */
export type LoggedIn = Readonly<{ customer: Customer; generation: number; ownedSince: number }>;

/** A contact that the shopper has proved, and the socket that the login keeps open. */
export type LoginProof = Readonly<{ contact: Contact; socketId: string | null }>;

type LoginContext = Parameters<typeof logInWithContact>[0] & Readonly<{ meter: Meter }>;

type LoginParts = Readonly<{
  storage: SessionStorage;
  conversation: SessionConversation;
  sessionId: () => string;
}>;

/**
 * A session's login. Every login and logout raises the generation. So all earlier cookies become
 * invalid, which somebody else may have planted or copied.
 */
export class SessionLogin {
  readonly #objectStorage: DurableObjectStorage;
  readonly #parts: LoginParts;
  #stored: StoredLogin;

  constructor(objectStorage: DurableObjectStorage, parts: LoginParts) {
    this.#objectStorage = objectStorage;
    this.#parts = parts;
    this.#stored = this.#load();
  }

  isCurrent(generation: number): boolean {
    return generation === this.#stored.generation;
  }

  generation(): number {
    return this.#stored.generation;
  }

  current(): Login | null {
    return this.#stored.login;
  }

  /** The actor of a request in the session. */
  actorIn(sessionId: string): Actor {
    const { customerId = null, loggedInAt = null } = this.#stored.login ?? {};
    return { type: "session", sessionId, customerId, loggedInAt };
  }

  ownedSince(): number {
    return this.#stored.ownedSince;
  }

  /**
   * Logs in the customer who proved a contact, and moves a guest's files and the contact's guest
   * orders to that customer. An older cookie is accepted only from the customer who is already logged
   * in, whose last response may be lost. Returns "stale" for other older cookies, and after a
   * concurrent login.
   */
  async logIn(
    ctx: LoginContext,
    generation: number,
    { contact, socketId }: LoginProof,
  ): Promise<LoggedIn | "stale"> {
    const before = this.#stored;
    const isCurrent = generation === before.generation;
    if (!isCurrent && before.login === null) return "stale";
    // Taken before the customer is read, so that an erasure of the customer in between ends this
    // login.
    const loggedInAt = ctx.now();
    const loggedInId = isCurrent ? (before.login?.customerId ?? null) : null;
    const customer = await logInWithContact(ctx, {
      contact,
      loggedInId,
      sessionId: isCurrent ? this.#parts.sessionId() : null,
      ...(isCurrent && { dependentWrites: (owner) => [this.#transferUploads(ctx, owner, before)] }),
    });
    if (this.#stored !== before) return "stale";
    if (!isCurrent && before.login?.customerId !== customer.id) return "stale";
    const nextGeneration = before.generation + 1;
    const hasNewOwner = before.owner !== null && before.owner !== customer.id;
    const keptSocketId = hasNewOwner ? null : socketId;
    const { objects, leftThreadId } = await this.#announce(nextGeneration, before, keptSocketId);
    ctx.meter.do += objects;
    if (this.#stored !== before) return "stale";
    const ownedSince = hasNewOwner || leftThreadId !== null ? nextGeneration : before.ownedSince;
    const login = { customerId: customer.id, loggedInAt };
    this.#save({ generation: nextGeneration, login, owner: customer.id, ownedSince }, ctx.now());
    if (leftThreadId !== null) {
      const left = { threadId: leftThreadId, generation: nextGeneration };
      this.#parts.conversation.leave(left, ctx.now());
    }
    return { customer, generation: nextGeneration, ownedSince };
  }

  /**
   * Logs out all cookies of the session.
   *
   * @throws Refusal SERVICE_UNAVAILABLE, in the reply, when the conversation does not respond. Then
   * nothing changes.
   */
  async logOut(now: () => number): Promise<Reply<null>> {
    let objects = 0;
    const outcome = await captureOutcome(async () => {
      objects = await this.#endSession(now);
      return null;
    });
    return { outcome, isReplay: false, d1: 0, do: objects };
  }

  /**
   * Makes the session anonymous when all logins of its customer were ended. The cookie stays valid.
   */
  endLogin(login: Login, now: number): void {
    if (this.#stored.login === login) this.#save({ ...this.#stored, login: null }, now);
  }

  /** Reads the login from storage again, after the storage was deleted. */
  reload(): void {
    this.#stored = this.#load();
  }

  /** Ends the session and returns the number of object calls. */
  async #endSession(now: () => number): Promise<number> {
    let objects = 0;
    let before: StoredLogin;
    do {
      // Another login or logout may be stored while the conversation is notified.
      before = this.#stored;
      objects += await this.#parts.conversation.announceGeneration(before.generation + 1);
    } while (this.#stored !== before);
    this.#save({ ...before, generation: before.generation + 1, login: null }, now());
    return objects;
  }

  /**
   * Announces the next generation to the conversation. A customer's conversation must respond. A
   * login continues without a guest's conversation, because otherwise the one-time code would be
   * lost: an old cookie can read no more than before.
   */
  async #announce(
    generation: number,
    { owner }: StoredLogin,
    keptSocketId: string | null,
  ): Promise<Readonly<{ objects: number; leftThreadId: string | null }>> {
    const { conversation } = this.#parts;
    try {
      return {
        objects: await conversation.announceGeneration(generation, keptSocketId),
        leftThreadId: null,
      };
    } catch (error) {
      if (owner !== null) throw error;
      return { objects: 1, leftThreadId: await conversation.findId() };
    }
  }

  #transferUploads(
    ctx: LoginContext,
    customer: CustomerIdQuery,
    { owner, ownedSince }: StoredLogin,
  ) {
    return uploadRepo(ctx).assignToCustomer(customer, {
      sessionId: uploadOwnerOf({ id: this.#parts.sessionId(), ownedSince }),
      formerId: owner,
    });
  }

  #save(next: StoredLogin, now: number): void {
    this.#parts.storage.open(now);
    this.#objectStorage.kv.put("login", next);
    this.#stored = next;
  }

  #load(): StoredLogin {
    return this.#objectStorage.kv.get<StoredLogin>("login") ?? noLogin;
  }
}
