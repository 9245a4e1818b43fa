import { deriveId, type Mode } from "../kernel/index.ts";
import type { OrderType } from "../orders/index.ts";
import type { ContactInMode } from "./contacts/contact.ts";
import type { LoginContext } from "./context.ts";

/** A person's account across businesses. */
export type LinkAccount = Readonly<{
  id: string;
  mode: Mode;
  /** The customer_id that the Link API returns. No business has a customer with this id. */
  customerId: string;
  name: string | null;
  /** Null for a person who has logged in but not enrolled. */
  enrolledAt: number | null;
  preferredOrderType: OrderType | null;
  notifyOnOrder: boolean;
  preferencesUpdatedAt: number | null;
  createdAt: number;
}>;

type AccountIds = Pick<LinkAccount, "id" | "customerId">;

/** An account to insert for a contact that has none. */
export type NewAccount = Readonly<{
  ids: AccountIds;
  /** The ids for the case that another account has the first ones. */
  spareIds: AccountIds;
  mode: Mode;
  createdAt: number;
}>;

export const newAccount = (
  { newId, now }: Pick<LoginContext, "newId" | "now">,
  { ids, mode }: Pick<NewAccount, "ids" | "mode">,
): NewAccount => ({
  ids,
  spareIds: { id: newId("acc"), customerId: newId("cus") },
  mode,
  createdAt: now(),
});

/**
 * The ids of the account that the contact's first login creates. They are computed from the contact,
 * so that an enrolment without a login can return them without creating or reading anything.
 */
export async function deriveAccountIds(
  secret: string,
  { contact: { type, value }, mode }: ContactInMode,
): Promise<AccountIds> {
  const text = JSON.stringify([mode, type, value]);
  const [id, customerId] = await Promise.all([
    deriveId("acc", secret, `account ${text}`),
    deriveId("cus", secret, `customer ${text}`),
  ]);
  return { id, customerId };
}
