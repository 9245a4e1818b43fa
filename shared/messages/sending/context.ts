import type { Business } from "../../businesses/index.ts";
import type { Context } from "../../database/index.ts";
import type { Message, ProviderResult } from "../../messaging/index.ts";
import type { MessageKey } from "../addresses/address-repo.ts";
import type { MessageFacts } from "./message-facts-query.ts";
import type { ClaimedMessage } from "./sending-repo.ts";

/** The public addresses in messages; null in a deployment that does not know its own address. */
export type MessageLinks = Readonly<{
  /** `sentAt` is the same in every attempt, so that every attempt names the same address. */
  order: (
    order: Readonly<{ businessId: string; orderId: string; sentAt: number }>,
  ) => Promise<string | null>;
  payment: (
    order: Readonly<{ businessId: string; orderId: string; expiresAt: number }>,
  ) => Promise<string | null>;
  unsubscribe: (message: MessageKey) => Promise<string | null>;
  /** The conversation with a shop. */
  support: (shop: Readonly<{ slug: string }>) => string | null;
  console: (path: string) => string | null;
}>;

/** What sending the messages of one business needs. */
export type SendingContext = Pick<Context, "db" | "now"> &
  Readonly<{
    business: Business;
    /** Reads what the database says about a message now. */
    loadFacts: (message: ClaimedMessage) => Promise<MessageFacts>;
    links: MessageLinks;
    /** The deployment's own address for e-mail; null without one. */
    senderEmail: string | null;
    /** Reports what made an attempt fail. */
    reportError: (message: Readonly<{ id: string }>, error: unknown) => void;
    /** What a message shows that is stored nowhere else; null when it was sealed elsewhere. */
    unsealValues: (sealed: string) => Promise<Readonly<Record<string, string>> | null>;
    send: (message: Message) => Promise<ProviderResult>;
    /** Whether the shopper has not looked at the conversation since this time. */
    isShopperAway: (conversationId: string, since: number) => Promise<boolean>;
  }>;
