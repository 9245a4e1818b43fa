import { day, notFound, Refusal } from "../kernel/index.ts";

export const businessStatuses = ["active", "suspended", "closed"] as const;

/**
 * Whether the business sells (docs/contract/operator.md#business-status). Suspended: shoppers are
 * refused and nothing is charged. Closed: also read-only to the merchant, and erased later.
 */
export type BusinessStatus =
  | Readonly<{ type: "active" }>
  | Readonly<{ type: "suspended"; suspendedAt: number }>
  | Readonly<{ type: "closed"; closedAt: number }>;

type WithStatus = Readonly<{ status: BusinessStatus }>;

/** A closed business is erased after this time. */
const erasureDelayMs = 30 * day;

/** When a closed business is erased, in epoch milliseconds; null for any other. */
export const erasureTimeOf = ({ status }: WithStatus): number | null =>
  status.type === "closed" ? status.closedAt + erasureDelayMs : null;

/** What of a closed business is erased next: its files, its conversations, then its rows. */
export type ErasePosition = Readonly<
  | { phase: "files" }
  | { phase: "conversations"; after: string }
  | { phase: "rows"; table: number; after: number }
>;

/** Whether shoppers may buy and customers may be charged. */
export const isSelling = ({ status }: WithStatus): boolean => status.type === "active";

/** The refusal that a shopper's call gets; null while the business sells. */
export function shopperRefusal({ status }: WithStatus): Refusal | null {
  switch (status.type) {
    case "active":
      return null;
    case "suspended":
      return statusRefusal(status, "This shop is suspended and takes no orders at the moment.");
    case "closed":
      return notFound("business");
  }
}

/** @throws Refusal FORBIDDEN for a write to a closed business. */
export function assertWritable({ status }: WithStatus): void {
  if (status.type !== "closed") return;
  throw statusRefusal(status, "This business is closed, so its data can only be read.");
}

const statusRefusal = ({ type }: BusinessStatus, message: string) =>
  new Refusal({ code: "FORBIDDEN", message, context: { business_status: type } });
