import type { Contact } from "../../customers/index.ts";
import { conflict, invalid, notFound, ruleViolation } from "../../kernel/index.ts";
import type { ActiveLinkSession } from "../session.ts";
import { announceChange, type ContactChangeContext } from "./announce-change.ts";
import { isSameContact, type LinkContact, maxContacts, verifiedContacts } from "./contact.ts";
import { contactRepo } from "./contact-repo.ts";

type ContactProof = Readonly<{ contact: Contact; code: string }>;

export type AddContactContext = ContactChangeContext &
  Readonly<{
    /** Redeems the codes of several contacts, all or none. Returns whether all were right. */
    redeemCodes: (proofs: readonly ContactProof[]) => Promise<boolean>;
  }>;

export type ContactToAdd = Readonly<{
  session: ActiveLinkSession;
  contact: Contact;
  /** The code that was sent to the new contact. */
  code: string;
  /** A contact of the account, and the code that was sent to it. */
  confirmation: Readonly<{ contactId: string; code: string }>;
}>;

/**
 * Adds a contact to the account of a session (docs/contract/link.md#contact-add). A session alone
 * does not suffice: its token may be stolen, and a contact gives access for good. The other contacts
 * are notified first, so that no crash leaves a contact that was added without notice.
 *
 * @throws Refusal NOT_FOUND for an unknown confirming contact, INVALID_CODE, CONFLICT when the
 *   contact belongs to another account, CONTACT_LIMIT, SERVICE_UNAVAILABLE.
 */
export async function addContact(
  ctx: AddContactContext,
  { session, contact, code, confirmation }: ContactToAdd,
): Promise<LinkContact> {
  const { account, contacts } = session;
  const own = contacts.find((candidate) => isSameContact(candidate, contact));
  if (own) throw invalid("contact", "is already a contact of the account");
  const confirming = contacts.find(
    ({ id, verifiedAt }) => id === confirmation.contactId && verifiedAt !== null,
  );
  if (!confirming) throw notFound("contact");
  if (contacts.length >= maxContacts) throw contactLimitRefusal();
  const areValid = await ctx.redeemCodes([
    { contact: confirming, code: confirmation.code },
    { contact, code },
  ]);
  if (!areValid) throw invalidCodeRefusal();
  const repo = contactRepo(ctx);
  const added = { contact, mode: account.mode };
  if ((await repo.findOwner(added)) !== null) throw otherAccountRefusal();
  await announceChange(ctx, verifiedContacts(contacts), { ...added, change: "added" });
  const stored = await repo.add(added);
  if (!stored) throw otherAccountRefusal();
  return stored;
}

const otherAccountRefusal = () => conflict("The contact belongs to another Link account.");

const invalidCodeRefusal = () =>
  ruleViolation(
    "INVALID_CODE",
    "One of the codes is wrong, spent or expired. Request new codes for both contacts.",
  );

const contactLimitRefusal = () =>
  ruleViolation(
    "CONTACT_LIMIT",
    `An account has at most ${maxContacts} contacts. Remove one first.`,
    { limit: maxContacts },
  );
