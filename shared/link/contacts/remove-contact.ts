import { findRefusal, notFound, ruleViolation } from "../../kernel/index.ts";
import type { ActiveLinkSession } from "../session.ts";
import { announceChange, type ContactChangeContext } from "./announce-change.ts";
import { verifiedContacts } from "./contact.ts";
import { contactRepo } from "./contact-repo.ts";

/**
 * Removes a contact from the account of a session, and ends all sessions of the account
 * (docs/contract/link.md#contact-remove). The other contacts are notified. An owner can remove a
 * contact even while no message can be sent.
 *
 * @throws Refusal NOT_FOUND, LAST_CONTACT.
 */
export async function removeContact(
  ctx: ContactChangeContext,
  { account, contacts }: ActiveLinkSession,
  id: string,
): Promise<void> {
  const contact = contacts.find((candidate) => candidate.id === id);
  if (!contact) throw notFound("contact");
  const others = verifiedContacts(contacts.filter((candidate) => candidate.id !== id));
  if (others.length === 0) throw lastContactRefusal();
  await announceChange(ctx, others, { contact, mode: account.mode, change: "removed" }).catch(
    (error: unknown) => {
      if (findRefusal(error) === null) throw error; // an outage of the queue was logged there
    },
  );
  const isRemoved = await contactRepo(ctx).remove(id);
  if (!isRemoved) throw lastContactRefusal();
}

const lastContactRefusal = () =>
  ruleViolation("LAST_CONTACT", "An account keeps at least one contact. Add another one first.");
