import { isFullTable } from "../../checkout/faults/payment-cases.ts";
import type { Operation } from "../operations.ts";
import type { Effects, Fault } from "./effects.ts";

export const isWrite = (effect: string): boolean =>
  /insert|update|delete|object|R2 (?:put|delete)|queue/.test(effect);

/** Effects that all calls have: claiming a key, storing its response, waking the outbox worker. */
export const isCommonToAllCalls = (effect: string): boolean =>
  isIdempotencyWrite(effect) || effect === "queue of announcements";

export const isIdempotencyWrite = (effect: string): boolean =>
  /^D1 (?:insert into "idempotency_keys" [^;]*; select "business_id", "caller"|update "idempotency_keys" set "(?:status|lease))/.test(
    effect,
  );

/**
 * The faults to test. MODEL_FAULTS=all selects all of them. Otherwise it selects those of the
 * call's own writes, and for one in eight operations those that all calls have in common.
 */
export function selectFaults(effects: Effects, operationIndex: number): Fault[] {
  const isSample = operationIndex % 8 === 0;
  let hasWritten = false;
  return effects.flatMap((effect, index): Fault[] => {
    const at = index + 1;
    const [lost, unanswered]: readonly [Fault, Fault] = [
      { at, when: "before it ran" },
      { at, when: "after it ran" },
    ];
    if (isFullTable) return [lost, unanswered];
    if (!isWrite(effect) || (isCommonToAllCalls(effect) && !isSample)) return [];
    const isFirst = !hasWritten;
    hasWritten ||= !isCommonToAllCalls(effect);
    return isFirst && !isSample ? [unanswered] : [lost, unanswered];
  });
}

/** Operations that end in the same state however often they are repeated. */
const isRepeatableByNature = ({ id }: Operation): boolean =>
  /^(?:PUT|PATCH|DELETE) |\/(?:default|close|cancel|status|pause|resume)$/.test(id);

/** Whether to repeat an operation without a key: every second one, or all with MODEL_FAULTS=all. */
export const isRepeatedWithoutKey = (operation: Operation, operationIndex: number): boolean =>
  isRepeatableByNature(operation) && (isFullTable || operationIndex % 2 === 0);
