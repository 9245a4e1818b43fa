import type { Kind } from "./foreign-world.ts";

/** Names an identifier of the world by its kind. */
export type Name = (kind: Kind) => string;

/**
 * What an identifier that is not one's own is answered with. Most are 404 NOT_FOUND. A record that a
 * merchant's body merely points at is a VALIDATION_ERROR naming the field, a filter finds nothing,
 * and what tells nothing about a record is taken without a word.
 */
export type Outcome = "not found" | "refused" | "nothing" | "taken" | Rule | number;

/** A rule of the domain that a 422 names. */
type Rule = `422 ${string}`;

/** One way to call an operation with identifiers in it. */
export type Row = Readonly<{
  /** The kinds of the path's parameters that are not called as their kind is. */
  path?: Readonly<Record<string, Kind>>;
  query?: (id: Name) => Record<string, string>;
  body?: (id: Name) => object;
  /** Without a login, where a login would do. */
  as?: "guest";
  /** Where a kind's outcome is not "not found". */
  outcomes?: Partial<Record<Kind, Outcome>>;
  /** Where another customer's is not answered as nobody's, and how it is. */
  ofCustomer?: Partial<Record<Kind, Outcome>>;
}>;

export const plain: readonly Row[] = [{}];
export const withBody = (body: object): readonly Row[] => [{ body: () => body }];
