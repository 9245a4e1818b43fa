import type { Contact } from "../customers/index.ts";
import type { Mode } from "../kernel/index.ts";
import { type Enrolment, hasVerified, type LinkAccount, newAccount } from "./account.ts";
import { accountOf, accountRepo } from "./account-repo.ts";
import type { LinkContext } from "./context.ts";
import type { OpenSession } from "./session.ts";

export type EnrolmentRequest = Readonly<{
  contact: Contact;
  mode: Mode;
  name: string | null;
  /** Who is logged in: the contact's owner, if they have proved it. */
  session: OpenSession | null;
}>;

/**
 * Enrols the account of a contact (interface.md, POST /enroll); a repeated call finds the earlier
 * enrolment. Unless its owner asks, a contact that nobody knew gets an account that is unproved: it
 * cannot be read before somebody has logged in with the contact, and keeps its id then.
 */
export async function enroll(
  ctx: LinkContext,
  { contact, mode, name, session }: EnrolmentRequest,
): Promise<Enrolment> {
  const accounts = accountRepo(ctx.db);
  const fresh = newAccount(ctx, mode);
  const isOwner = session?.account.mode === mode && hasVerified(session.contacts, contact);
  const named = { contact, holderId: null };
  const id = accountOf({ contact, mode });
  const [, , [before], , [after]] = await ctx.db.batch([
    accounts.insertUnlessKnown(fresh, named),
    accounts.insertContact(fresh, named, null),
    accounts.byId(id),
    accounts.enrol(id, { name, isOwner, now: ctx.now() }),
    accounts.byId(id),
  ]);
  return enrolmentOf(before, after);
}

/** What became of an account in a batch that read it before and after. */
export function enrolmentOf(
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
