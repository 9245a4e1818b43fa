import {
  type ConversationAgent,
  type SocketTicket,
  socketTicketTtlMs,
  type TicketSocketRequest,
} from "../../../runtime/objects/conversation-object.ts";
import { runtime } from "../../../runtime/runtime.ts";

/** A ticket as the conversation stores it, under its digest. */
type StoredTicket = Readonly<{ agent: ConversationAgent; keyHash: string; expiresAt: number }>;

const prefix = "socket_ticket ";

/**
 * The unused tickets of one conversation. An agent's browser cannot send a secret key with a
 * WebSocket, so it sends a ticket that its server has requested.
 */
export function createSocketTickets({ kv }: Pick<DurableObjectStorage, "kv">) {
  function deleteExpired(now: number): void {
    for (const [key, { expiresAt }] of kv.list<StoredTicket>({ prefix }))
      if (expiresAt <= now) kv.delete(key);
  }

  return {
    add(agent: ConversationAgent, { ticketHash, keyHash }: SocketTicket): void {
      const now = runtime.now();
      deleteExpired(now);
      const ticket: StoredTicket = { agent, keyHash, expiresAt: now + socketTicketTtlMs };
      kv.put(`${prefix}${ticketHash}`, ticket);
    },

    /**
     * Returns the agent and the key's digest of a ticket, and deletes the ticket, so that it opens
     * one socket. Null for an unknown, used or expired ticket, and one of another business.
     */
    redeem({ businessId, ticketHash }: TicketSocketRequest): StoredTicket | null {
      const key = `${prefix}${ticketHash}`;
      const ticket = kv.get<StoredTicket>(key);
      if (ticket === undefined || ticket.agent.businessId !== businessId) return null;
      kv.delete(key);
      return ticket.expiresAt > runtime.now() ? ticket : null;
    },
  };
}
