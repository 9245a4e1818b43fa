import { Refusal } from "../kernel/index.ts";
import type { OrderType } from "../orders/index.ts";
import type { LinkAccount } from "./account.ts";

/** What a person wants everywhere (interface.md, Link records). */
export type Preferences = Readonly<{
  preferredOrderType: OrderType | null;
  defaultAddressId: string | null;
  notifyOnOrder: boolean;
  /** Null while they are what everybody begins with. */
  updatedAt: number | null;
}>;

export const preferencesOf = (
  { preferredOrderType, notifyOnOrder, preferencesUpdatedAt: updatedAt }: LinkAccount,
  defaultAddressId: string | null,
): Preferences => ({ preferredOrderType, defaultAddressId, notifyOnOrder, updatedAt });

/** @throws Refusal NOT_ENROLLED. */
export function demandEnrolled({ enrolledAt }: Pick<LinkAccount, "enrolledAt">): void {
  if (enrolledAt !== null) return;
  throw new Refusal({
    code: "NOT_ENROLLED",
    message: "The account has not enrolled; POST /enroll first.",
  });
}
