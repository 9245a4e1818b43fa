import { isWhole } from "../../checkout/faults/methods.ts";
import type { Operation } from "../operations.ts";
import type { Effects, Fault } from "./effects.ts";

export const isWrite = (effect: string): boolean =>
  /insert|update|delete|object|R2 (?:put|delete)|queue/.test(effect);

/** What calls have alike: a key's claim, the keeping of its answer, the nudge that events wait. */
export const isAlike = (effect: string): boolean =>
  isOfKey(effect) || effect === "queue of announcements";

export const isOfKey = (effect: string): boolean =>
  /^D1 (?:insert into "idempotency_keys" [^;]*; select "business_id", "caller"|update "idempotency_keys" set "(?:status|lease))/.test(
    effect,
  );

/**
 * The faults of a call: all of them with MODEL_FAULTS=all. Else those of what it writes itself, lost on
 * its way where something was written before; what all calls have alike goes wrong in some.
 */
export function faultsIn(effects: Effects, place: number): Fault[] {
  const isSample = place % 8 === 0;
  let hasWritten = false;
  return effects.flatMap((effect, index): Fault[] => {
    const at = index + 1;
    const [lost, unanswered]: readonly [Fault, Fault] = [
      { at, when: "before it ran" },
      { at, when: "after it ran" },
    ];
    if (isWhole) return [lost, unanswered];
    if (!isWrite(effect) || (isAlike(effect) && !isSample)) return [];
    const isFirst = !hasWritten;
    hasWritten ||= !isAlike(effect);
    return isFirst && !isSample ? [unanswered] : [lost, unanswered];
  });
}

/** What by its nature ends in one state, however often it is asked (business-surface.md). */
const endsAlike = ({ id }: Operation): boolean =>
  /^(?:PUT|PATCH|DELETE) |\/(?:default|close|cancel|status|pause|resume)$/.test(id);

/** Whether an operation is asked again without a key, too: with MODEL_FAULTS=all each that may be. */
export const isAskedWithoutKey = (operation: Operation, place: number): boolean =>
  endsAlike(operation) && (isWhole || place % 2 === 0);
