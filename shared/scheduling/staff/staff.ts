import type { Closure, OpeningHours } from "../../businesses/index.ts";
import type { Patch } from "../../kernel/index.ts";

/**
 * Someone who provides services. Their working hours are in the local time of the booked location.
 */
export type StaffMember = Readonly<{
  id: string;
  name: string;
  /** Working hours. Null means the opening hours of the location. */
  hours: OpeningHours | null;
  /** Whole days off, as local dates. */
  timeOff: readonly Closure[];
}>;

export type NewStaffMember = Omit<StaffMember, "id">;
export type StaffPatch = Patch<NewStaffMember>;

export const applyStaffPatch = (member: StaffMember, patch: StaffPatch): StaffMember => ({
  id: member.id,
  name: patch.name ?? member.name,
  hours: patch.hours === undefined ? member.hours : patch.hours,
  timeOff: patch.timeOff ?? member.timeOff,
});
