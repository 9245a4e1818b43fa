import type { Closure, OpeningHours } from "../../businesses/index.ts";
import type { Patch } from "../../kernel/index.ts";

/** Somebody who gives services; local times are those of the location in question. */
export type StaffMember = Readonly<{
  id: string;
  name: string;
  /** Null: whenever the location is open. */
  hours: OpeningHours | null;
  /** Whole local days, as a location's closures. */
  timeOff: readonly Closure[];
}>;

export type NewStaffMember = Omit<StaffMember, "id">;
export type StaffPatch = Patch<NewStaffMember>;

export const patchedMember = (member: StaffMember, patch: StaffPatch): StaffMember => ({
  id: member.id,
  name: patch.name ?? member.name,
  hours: patch.hours === undefined ? member.hours : patch.hours,
  timeOff: patch.timeOff ?? member.timeOff,
});
