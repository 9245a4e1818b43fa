import type { MerchantContext } from "../../businesses/index.ts";
import type { Contact } from "../../customers/index.ts";
import { day } from "../../kernel/index.ts";
import type { Message } from "../../messaging/index.ts";
import type { OrderIntent } from "./order-intent.ts";

/** A message whose channel follows from the contact that it is sent to. */
export type Notice = Pick<
  Extract<Message, { channel: "email" }>,
  "id" | "subject" | "text" | "expiresAt"
>;

/** The context of enrolments with an order. */
export type OrderLinkContext = MerchantContext &
  Readonly<{
    /** Queues a notice to the first of the contacts that can be reached. It does not fail. */
    notify: (contacts: readonly Contact[], notice: Notice) => Promise<void>;
  }>;

/**
 * Tells the account's owner about a linked order (docs/contract/link.md#notify-on-order). The notice's
 * id follows from the intent, so that a provider recognises the repetition after a crash.
 */
export async function notifyOwner(
  { business, now, notify }: OrderLinkContext,
  { id, notifiedContacts }: Pick<OrderIntent, "id" | "notifiedContacts">,
  orderNumber: string,
): Promise<void> {
  if (business.mode === "test" || notifiedContacts.length === 0) return;
  const shop = business.name.replace(/\s+/g, " ").trim().slice(0, 60);
  await notify(notifiedContacts, {
    id: `link-${id}`,
    subject: `Your order ${orderNumber} at ${shop}`,
    text: `Your order ${orderNumber} at ${shop} is now in your Link account.`,
    expiresAt: now() + day,
  });
}
