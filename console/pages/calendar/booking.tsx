import type { BusinessSchemas } from "@duka/sdk/business";
import { Badge, type Tone } from "../../ui/badge.tsx";

export type Booking = BusinessSchemas["ListedBooking"];
type BookingStatus = Booking["status"];

const statuses: Readonly<Record<BookingStatus, Readonly<{ name: string; tone: Tone }>>> = {
  pending: { name: "Pending", tone: "warning" },
  confirmed: { name: "Confirmed", tone: "info" },
  completed: { name: "Completed", tone: "success" },
  cancelled: { name: "Cancelled", tone: "neutral" },
  no_show: { name: "No-show", tone: "danger" },
};

export const statusName = (status: BookingStatus): string => statuses[status].name;

export const BookingBadge = ({ status }: Readonly<{ status: BookingStatus }>) => (
  <Badge tone={statuses[status].tone}>{statuses[status].name}</Badge>
);

/** Whether the booking still takes its time, and so can be moved and cancelled. */
export const isActive = ({ status }: Pick<Booking, "status">): boolean =>
  status === "pending" || status === "confirmed";
