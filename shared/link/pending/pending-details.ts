import { day } from "../../kernel/index.ts";
import type { OrderType } from "../../orders/index.ts";
import type { AddressFields } from "../address.ts";
import type { MobileMoneyFields } from "../mobile-money.ts";

/** The details that wait for an account; further ones are dropped (docs/contract/link.md#pending-limit). */
export const maxPendingDetails = 10;
/** Those of them that came through one business, so that its callers leave room for others. */
export const maxPendingDetailsOfBusiness = 5;
export const pendingDetailsTtlMs = 30 * day;

/** What a caller sent to be saved in an account. */
export type Details = Readonly<{
  name: string | null;
  address: AddressFields | null;
  mobileMoney: MobileMoneyFields | null;
  orderType: OrderType | null;
}>;

/** Details that wait until the account's owner saves or discards them. */
export type PendingDetails = Details &
  Readonly<{
    id: string;
    /** The order with which they came; null for an enrolment without an order. */
    orderId: string | null;
    /** The name of the shop that sent them. */
    businessName: string;
    createdAt: number;
    expiresAt: number;
  }>;

export const hasDetails = ({ name, address, mobileMoney, orderType }: Details): boolean =>
  [name, address, mobileMoney, orderType].some((detail) => detail !== null);
