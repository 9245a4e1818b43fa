import type { Contact } from "../../customers/index.ts";
import { day, type Mode } from "../../kernel/index.ts";
import type { AccountContext } from "../context.ts";
import type { Notice } from "../orders/notify-owner.ts";

/** The context of changes to an account's contacts. */
export type ContactChangeContext = AccountContext &
  Readonly<{
    /**
     * Queues a notice to each of the contacts that can be reached.
     *
     * @throws Refusal SERVICE_UNAVAILABLE when the queue does not accept a notice.
     */
    notifyEach: (contacts: readonly Contact[], notice: Notice) => Promise<void>;
  }>;

type ContactChange = Readonly<{ contact: Contact; mode: Mode; change: "added" | "removed" }>;

/**
 * Tells an account's other contacts that a contact is added or removed
 * (docs/contract/link.md#contact-notices). Test mode sends nothing.
 */
export async function announceChange(
  { newId, now, notifyEach }: ContactChangeContext,
  others: readonly Contact[],
  { contact, mode, change }: ContactChange,
): Promise<void> {
  if (mode === "test") return;
  await notifyEach(others, {
    id: newId("msg"),
    subject: `A contact of your Link account is ${change}`,
    text: `${contact.value} is ${change === "added" ? "added to" : "removed from"} your Link account. If this was not you, log in to Link and check your contacts.`,
    expiresAt: now() + day,
  });
}
