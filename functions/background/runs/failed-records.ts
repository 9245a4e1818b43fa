import { type Db, type FailedRecord, jobFailureRepo } from "../../../shared/database/index.ts";
import { findRefusal, stackOf } from "../../../shared/kernel/index.ts";
import { log } from "../../runtime/log.ts";

/** Collects the records that an invocation cannot process, for the operator. */
export type FailedRecords = Readonly<{
  /** Adds a record, unless the error is an outage, which is not the record's. */
  add: (failed: FailedRecord, error: unknown) => void;
  /** Counts the added records (docs/contract/operator.md#failing-records); returns their number. */
  save: () => Promise<number>;
}>;

export function createFailedRecords({
  core,
  now,
}: Readonly<{ core: () => Db; now: () => number }>): FailedRecords {
  let added: FailedRecord[] = [];
  return {
    add(failed, error) {
      if (findRefusal(error)?.code !== "SERVICE_UNAVAILABLE") added.push(failed);
    },
    async save() {
      const failed = added;
      added = [];
      if (failed.length === 0) return 0;
      try {
        await jobFailureRepo(core()).save(failed, now());
      } catch (error) {
        const facts = { records: failed.length, stack: stackOf(error) };
        log("error", "failed records not counted", facts);
      }
      return failed.length;
    },
  };
}

/** Whether the refusal is a conflict or an outage. A later run may succeed after either. */
export function isTemporaryRefusal(error: unknown): boolean {
  const code = findRefusal(error)?.code;
  return code === "CONFLICT" || code === "SERVICE_UNAVAILABLE";
}
