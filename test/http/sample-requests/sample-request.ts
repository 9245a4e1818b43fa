import type { RecordKind } from "../create-customer-records.ts";

/** Returns the identifier of the record of a kind. */
export type IdFor = (kind: RecordKind) => string;

/**
 * The response to an identifier of another owner's record. Most are 404 NOT_FOUND. A reference in a
 * business API body is a VALIDATION_ERROR that names the field, a filter finds nothing, and a write
 * that reveals nothing about the record is accepted.
 */
export type ForeignIdOutcome = "not found" | "refused" | "nothing" | "taken" | RuleOutcome | number;

/** A 422 with the rule that it names. */
type RuleOutcome = `422 ${string}`;

/** One request to an operation, with the record identifiers that it contains. */
export type SampleRequest = Readonly<{
  /** Record kinds of path parameters that are not named like their kind. */
  path?: Readonly<Record<string, RecordKind>>;
  query?: (id: IdFor) => Record<string, string>;
  body?: (id: IdFor) => object;
  /** Set when the request is sent without a login to an operation that also accepts one. */
  as?: "guest";
  /** Outcomes other than "not found", by record kind. */
  outcomes?: Partial<Record<RecordKind, ForeignIdOutcome>>;
  /** Outcomes for another customer's record that differ from those for an unknown identifier. */
  otherCustomerOutcomes?: Partial<Record<RecordKind, ForeignIdOutcome>>;
}>;

export const withoutFields: readonly SampleRequest[] = [{}];
export const withBody = (body: object): readonly SampleRequest[] => [{ body: () => body }];
