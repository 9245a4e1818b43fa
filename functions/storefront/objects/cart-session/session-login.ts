import {
  type Contact,
  type Customer,
  type CustomerIdQuery,
  type Login,
  verifyContact,
} from "../../../../shared/customers/index.ts";
import type { Actor, Meter } from "../../../../shared/kernel/index.ts";
import { uploadRepo } from "../../../../shared/uploads/index.ts";
import { captureOutcome, type Reply } from "../../../runtime/objects/calls.ts";
import { uploadOwnerOf } from "../../upload-owner.ts";
import type { SessionConversation } from "./session-conversation.ts";
import type { SessionStorage } from "./session-storage.ts";

/** The login of a session. Only a cookie of this generation is accepted. */
type StoredLogin = Readonly<{
  generation: number;
  login: Login | null;
  /** The last customer who logged in. */
  owner: string | null;
  /** The generation since which the session has had no other owner. */
  ownedSince: number;
}>;

/** Before the first login or logout nothing is stored. */
const noLogin: StoredLogin = { generation: 0, login: null, owner: null, ownedSince: 0 };

/** A customer who logged in, and the session's new generation. */
export type LoggedIn = Readonly<{ customer: Customer; generation: number; ownedSince: number }>;

type LoginContext = Parameters<typeof verifyContact>[0] & Readonly<{ meter: Meter }>;

type LoginParts = Readonly<{
  storage: SessionStorage;
  conversation: SessionConversation;
  sessionId: () => string;
}>;

/**
 * A session's login. Every login and logout raises the generation and so invalidates all earlier
 * cookies, which somebody else may have planted or copied.
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
   * Logs in the customer of a proven contact; the session keeps its cart, and a guest's files become
   * the customer's. An earlier cookie is accepted only from the customer who is logged in, whose last
   * response may have been lost. Returns "stale" for others, and when another login came first.
   */
  async logIn(
    ctx: LoginContext,
    generation: number,
    contact: Contact,
  ): Promise<LoggedIn | "stale"> {
    const before = this.#stored;
    const isCurrent = generation === before.generation;
    if (!isCurrent && before.login === null) return "stale";
    const loggedInAt = ctx.now(); // before the customer is read: an erasure after that ends the login
    const loggedInId = isCurrent ? (before.login?.customerId ?? null) : null;
    const customer = await verifyContact(ctx, {
      contact,
      loggedInId,
      ...(isCurrent && { dependentWrites: (owner) => [this.#transferUploads(ctx, owner, before)] }),
    });
    if (this.#stored !== before) return "stale";
    if (!isCurrent && before.login?.customerId !== customer.id) return "stale";
    const nextGeneration = before.generation + 1;
    const { objects, leftThreadId } = await this.#announce(nextGeneration, before);
    ctx.meter.do += objects;
    if (this.#stored !== before) return "stale";
    const hasNewOwner = before.owner !== null && before.owner !== customer.id;
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
   * Ends the session for all its cookies.
   *
   * @throws Refusal SERVICE_UNAVAILABLE, in the reply, when its conversation does not answer.
   */
  async logOut(now: () => number): Promise<Reply<null>> {
    let objects = 0;
    const outcome = await captureOutcome(async () => {
      objects = await this.#endSession(now);
      return null;
    });
    return { outcome, isReplay: false, d1: 0, do: objects };
  }

  /** Makes the session anonymous after its customer's logins were ended. The cookie stays valid. */
  endLogin(login: Login, now: number): void {
    if (this.#stored.login === login) this.#save({ ...this.#stored, login: null }, now);
  }

  /** Reads storage again after it was wiped. */
  reload(): void {
    this.#stored = this.#load();
  }

  /** Returns the number of objects called. */
  async #endSession(now: () => number): Promise<number> {
    let objects = 0;
    let before: StoredLogin;
    do {
      before = this.#stored; // another login or logout may come during the announcement
      objects += await this.#parts.conversation.announceGeneration(before.generation + 1);
    } while (this.#stored !== before);
    this.#save({ ...before, generation: before.generation + 1, login: null }, now());
    return objects;
  }

  /**
   * Announces the next generation to the conversation. If a guest's conversation does not respond,
   * the login continues without it, so that the one-time code is not wasted: old cookies read only
   * what they could before. A customer's conversation must respond.
   */
  async #announce(
    generation: number,
    { owner }: StoredLogin,
  ): Promise<Readonly<{ objects: number; leftThreadId: string | null }>> {
    const { conversation } = this.#parts;
    try {
      return { objects: await conversation.announceGeneration(generation), leftThreadId: null };
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
