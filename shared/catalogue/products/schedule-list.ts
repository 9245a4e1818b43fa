import { canonicalJson, invalid, type NewId } from "../../kernel/index.ts";
import type { ScheduleRule } from "../schedules/schedule-rule.ts";
import { paired } from "./keep-ids.ts";
import type { ScheduleDraft } from "./product-draft.ts";

const keys = [({ id: _, ...rule }: ScheduleDraft) => canonicalJson(rule)];

/**
 * A product's schedule from what was written; rules that stay keep their ids.
 *
 * @throws Refusal VALIDATION_ERROR for a rule without hours or days.
 */
export function schedulesFrom(
  drafts: readonly ScheduleDraft[],
  previous: readonly ScheduleRule[],
  newId: NewId,
): ScheduleRule[] {
  const pairs = paired(drafts, previous, { keys, field: "schedules" });
  return drafts.map((draft, index) => {
    const { startTime, endTime, startsOn, endsOn } = draft;
    const field = `schedules.${index}`;
    if (startTime === endTime) throw invalid(`${field}.end_time`, "must differ from start_time");
    if (startsOn !== null && endsOn !== null && endsOn < startsOn) {
      throw invalid(`${field}.ends_on`, "must not be before starts_on");
    }
    return { ...draft, id: pairs[index]?.id ?? newId("rule") };
  });
}
