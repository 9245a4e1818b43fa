import { type FieldIssue, Refusal } from "../../kernel/index.ts";

/**
 * `row` is the line in the file, the header being line 1. `field` is the column, or empty for the
 * whole row.
 */
export type RejectedRow = Readonly<{ kind: "rejected"; row: number } & FieldIssue>;

export const rejectedRow = (row: number, { field, message }: FieldIssue): RejectedRow => ({
  kind: "rejected",
  row,
  field,
  message,
});

/** The field issue of a VALIDATION_ERROR; any other error is thrown again. */
export function issueOf(error: unknown): FieldIssue {
  const issue = error instanceof Refusal ? error.context?.issues?.[0] : undefined;
  if (!issue) throw error;
  return issue;
}
