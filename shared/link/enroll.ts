import type { Contact } from "../customers/index.ts";
import type { Mode } from "../kernel/index.ts";
import { type Enrolment, hasVerified, type LinkAccount, newAccount } from "./account.ts";
import { accountIdOfContact, accountRepo } from "./account-repo.ts";
import type { LinkContext } from "./context.ts";
import type { ActiveLinkSession } from "./session.ts";

export type EnrolmentRequest = Readonly<{
  contact: Contact;
  mode: Mode;
  name: string | null;
  /** The caller's session. Its account need not have verified the contact. */
  session: ActiveLinkSession | null;
}>;

/**
 * Enrols the account of a contact. An enrolled account keeps its first enrolment
 * (docs/contract/link.md#enroll). A contact without an account gets an unverified one, whose data
 * can be read only after a login with that contact.
 */
export async function enroll(
  ctx: LinkContext,
  { contact, mode, name, session }: EnrolmentRequest,
): Promise<Enrolment> {
  const accounts = accountRepo(ctx.db);
  const account = newAccount(ctx, mode);
  const isOwner = session?.account.mode === mode && hasVerified(session.contacts, contact);
  const newContact = { contact, holderId: null };
  const id = accountIdOfContact({ contact, mode });
  const [, , [before], , [after]] = await ctx.db.batch([
    accounts.insertForNewContact(account, newContact),
    accounts.insertContact(account, newContact, null),
    accounts.selectById(id),
    accounts.enroll(id, { name, isOwner, now: ctx.now() }),
    accounts.selectById(id),
  ]);
  return toEnrolment(before, after);
}

/** The enrolment, from the account's row before and after the batch that enrolled the account. */
export function toEnrolment(
  before: LinkAccount | undefined,
  after: LinkAccount | undefined,
): Enrolment {
  if (!after || after.enrolledAt === null) throw new Error("The account did not enrol.");
  return {
    accountId: after.id,
    customerId: after.customerId,
    enrolledAt: after.enrolledAt,
    isNew: before?.enrolledAt === null,
  };
}
