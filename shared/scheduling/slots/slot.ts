import type { Location } from "../../businesses/index.ts";
import type { Resource } from "../resources/resource.ts";
import type { Service } from "../services/service.ts";
import type { StaffMember } from "../staff/staff.ts";
import type { Span } from "./open-hours.ts";

/** Why a slot cannot be booked, the first that holds (completions.md 8). */
export const slotReasons = [
  "OUTSIDE_HOURS",
  "TOO_SOON",
  "TOO_LATE",
  "FULLY_BOOKED",
  "STAFF_UNAVAILABLE",
] as const;
export type SlotReason = (typeof slotReasons)[number];

/** What somebody wants to book: a service, or a variant of it, at one location. */
export type SlotOffer = Readonly<{
  service: Service;
  location: Location;
  /** The variant's where it has its own, else the service's. */
  durationMinutes: number;
  bufferMinutes: number;
  capacity: number;
  /** Who can give it, by choice or all that do; null: it needs nobody. */
  staff: readonly StaffMember[] | null;
  resources: readonly Resource[];
}>;

/** A slot as it stands for so many participants. */
export type Slot = Span &
  Readonly<{
    /** Its end and its buffer: what a claim of it occupies. */
    occupiedUntil: number;
    /** Places left, whoever is there to serve them; never negative. */
    remainingCapacity: number;
    /** Null: it can be booked. */
    reason: SlotReason | null;
    /** Who is free to give it; null for a service that needs nobody, or when it cannot be booked. */
    staffId: string | null;
  }>;

export const isAvailable = ({ reason }: Slot): boolean => reason === null;
