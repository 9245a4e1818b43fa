import {
  type Contact,
  type Customer,
  type CustomerQuery,
  type Login,
  verifyContact,
} from "../../../../shared/customers/index.ts";
import type { Meter } from "../../../../shared/kernel/index.ts";
import { uploadRepo } from "../../../../shared/uploads/index.ts";
import type { KeptStorage } from "../../../runtime/objects/expiring-storage.ts";
import { uploadOwner } from "../../upload-owner.ts";
import type { SessionConversation } from "./session-conversation.ts";

/** Who holds the session: whoever has the cookie of this generation. */
type Holder = Readonly<{
  generation: number;
  login: Login | null;
  /** The last customer who logged in, and the generation since which there was no other. */
  owner: string | null;
  ownedSince: number;
}>;

/** Before its first login or logout nothing is stored; an earlier release stored no owner. */
const first: Holder = { generation: 0, login: null, owner: null, ownedSince: 0 };
const complete = (stored: Partial<Holder> = first): Holder => ({
  ...first,
  owner: stored.login?.customerId ?? null,
  ...stored,
});

/** A customer who logged in, and the session's generation from now on. */
export type LoggedIn = Readonly<{ customer: Customer; generation: number; ownedSince: number }>;

type LoginContext = Parameters<typeof verifyContact>[0] & Readonly<{ meter: Meter }>;

/**
 * A session's login (completions.md 3). A login and a logout raise the generation: the cookies of
 * before are worthless at once, so that nobody who planted or kept one is logged in by it. The record
 * outlives all of them, since the session is kept for longer than a cookie is good.
 */
export function sessionLogin(
  storage: DurableObjectStorage,
  {
    kept,
    conversation,
    sessionId,
  }: Readonly<{
    kept: KeptStorage;
    conversation: SessionConversation;
    sessionId: () => string;
  }>,
) {
  const stored = (): Holder => complete(storage.kv.get<Partial<Holder>>("login"));
  let holder = stored();

  function store(next: Holder, now: number): void {
    kept.open(now);
    storage.kv.put("login", next);
    holder = next;
  }

  /**
   * Tells the conversation that a login comes. A guest's that does not answer is left behind, lest the
   * code be spent for nothing: its old cookie reads there what it could read before, and nothing of
   * the customer's. One that was a customer's has to be told first.
   */
  async function tellOf(
    generation: number,
    { owner }: Holder,
  ): Promise<Readonly<{ objects: number; left: string | null }>> {
    try {
      return { objects: await conversation.raise(generation), left: null };
    } catch (error) {
      if (owner !== null) throw error;
      return { objects: 1, left: await conversation.id() };
    }
  }

  const filesFor = (ctx: LoginContext, customer: CustomerQuery, { owner, ownedSince }: Holder) =>
    uploadRepo(ctx).giveTo(customer, {
      sessionId: uploadOwner({ id: sessionId(), ownedSince }),
      formerId: owner,
    });

  return {
    isCurrent: (generation: number): boolean => generation === holder.generation,
    current: (): Login | null => holder.login,
    ownedSince: (): number => holder.ownedSince,

    /**
     * Logs in whoever proved a contact; the rest of the session goes along, a guest's files too. An
     * earlier generation gets it back by a new code of the same customer, for whom the answer to the
     * last login may have been lost; to anybody else it is stale, as to one whom another login or
     * logout overtook.
     */
    async logIn(
      ctx: LoginContext,
      generation: number,
      contact: Contact,
    ): Promise<LoggedIn | "stale"> {
      const before = holder;
      const isCurrent = generation === before.generation;
      if (!isCurrent && before.login === null) return "stale";
      const loggedInAt = ctx.now(); // not later than the customer was read: an erasure counts from then
      const loggedInId = isCurrent ? (before.login?.customerId ?? null) : null;
      const customer = await verifyContact(ctx, {
        contact,
        loggedInId,
        ...(isCurrent && { belongings: (customer) => [filesFor(ctx, customer, before)] }),
      });
      if (holder !== before) return "stale";
      if (!isCurrent && before.login?.customerId !== customer.id) return "stale";
      const raised = before.generation + 1;
      const told = await tellOf(raised, before);
      ctx.meter.do += told.objects;
      if (holder !== before) return "stale";
      const login = { customerId: customer.id, loggedInAt };
      const isHandedOver = before.owner !== null && before.owner !== customer.id;
      const ownedSince = isHandedOver || told.left !== null ? raised : before.ownedSince;
      store({ generation: raised, login, owner: customer.id, ownedSince }, ctx.now());
      if (told.left !== null)
        conversation.leave({ threadId: told.left, generation: raised }, ctx.now());
      return { customer, generation: raised, ownedSince };
    },

    /**
     * Ends the session for whoever holds it; answers how many other objects were told.
     *
     * @throws Refusal SERVICE_UNAVAILABLE when its conversation cannot be told.
     */
    async logOut(now: () => number): Promise<number> {
      let objects = 0;
      let before: Holder;
      do {
        before = holder; // another login or logout may come while the conversation is told
        objects += await conversation.raise(before.generation + 1);
      } while (holder !== before);
      store({ ...before, generation: before.generation + 1, login: null }, now());
      return objects;
    },

    /** Makes the session anonymous whose customer's logins were ended; its holder keeps it. */
    end(ended: Login, now: number): void {
      if (holder.login === ended) store({ ...holder, login: null }, now);
    },

    /** Reads anew what is stored, for when it was cleared away. */
    forget(): void {
      holder = stored();
    },
  };
}

export type SessionLogin = ReturnType<typeof sessionLogin>;
