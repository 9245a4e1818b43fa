import { Refusal } from "../kernel/index.ts";
import type { OrderType } from "../orders/index.ts";
import type { LinkAccount } from "./account.ts";

/** A person's preferences at every business. */
export type Preferences = Readonly<{
  preferredOrderType: OrderType | null;
  defaultAddressId: string | null;
  notifyOnOrder: boolean;
  /** Null until the person changes a preference. */
  updatedAt: number | null;
}>;

export const toPreferences = (
  { preferredOrderType, notifyOnOrder, preferencesUpdatedAt: updatedAt }: LinkAccount,
  defaultAddressId: string | null,
): Preferences => ({ preferredOrderType, defaultAddressId, notifyOnOrder, updatedAt });

/** @throws Refusal NOT_ENROLLED. */
export function assertEnrolled({ enrolledAt }: Pick<LinkAccount, "enrolledAt">): void {
  if (enrolledAt !== null) return;
  throw new Refusal({
    code: "NOT_ENROLLED",
    message: "The account has not enrolled. Call POST /enroll first.",
  });
}
