import type { LinkAccount } from "./account.ts";
import { accountRepo } from "./account-repo.ts";
import type { ContactInMode } from "./contacts/contact.ts";
import type { AccountContext, LinkContext } from "./context.ts";

/** `isNew` is true only in the response to the call that enrolled the account. */
export type Enrolment = Readonly<{
  accountId: string;
  customerId: string;
  enrolledAt: number;
  isNew: boolean;
}>;

/**
 * Enrols the account of the caller's session. An enrolled account keeps its first enrolment
 * (docs/contract/link.md#enroll).
 */
export async function enroll(
  { db, accountId, now }: AccountContext,
  { name }: Readonly<{ name: string | null }>,
): Promise<Enrolment> {
  const accounts = accountRepo(db);
  const [[before], , [after]] = await db.batch([
    accounts.selectById(accountId),
    accounts.setEnrolled(accountId, now()),
    accounts.selectById(accountId),
    ...(name === null ? [] : [accounts.setName(accountId, name)]),
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

/** Whether the contact has an account that has enrolled. */
export const isEnrolled = async (
  { db }: Pick<LinkContext, "db">,
  contact: ContactInMode,
): Promise<boolean> => (await accountRepo(db).findEnrolledAt(contact)) !== null;
