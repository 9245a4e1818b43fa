import { type FieldIssue, Refusal } from "../../kernel/index.ts";

/**
 * A row that could not be imported. `row` is its line in the file, where the header is line 1.
 * `field` is the column, or empty when the whole row is rejected.
 */
export type RejectedRow = Readonly<{ kind: "rejected"; row: number } & FieldIssue>;

export const rejectedRow = (row: number, { field, message }: FieldIssue): RejectedRow => ({
  kind: "rejected",
  row,
  field,
  message,
});

/** The field issue of a VALIDATION_ERROR. Any other error is thrown. */
export function issueOf(error: unknown): FieldIssue {
  const issue = error instanceof Refusal ? error.context?.issues?.[0] : undefined;
  if (!issue) throw error;
  return issue;
}
