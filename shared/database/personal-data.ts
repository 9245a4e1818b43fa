import type { SQL } from "drizzle-orm";
import type { BatchResponse } from "drizzle-orm/batch";
import type { Write } from "./client.ts";
import type { Context } from "./context.ts";

/** Whose data: a customer, and a query in brackets for the ids of the orders that are theirs. */
export type Person = Readonly<{ customerId: string; orderIds: SQL }>;

export type PersonalDataScope = Pick<Context, "db" | "business">;

/** Queries for a batch, and what their results tell. */
export type Reading<T> = Readonly<{
  queries: readonly Write[];
  show: (results: readonly unknown[]) => T;
}>;

export const reading = <const Q extends readonly Write[], T>(
  queries: Q,
  show: (results: BatchResponse<Q>) => T,
): Reading<T> => ({
  queries,
  // Safe: a batch answers each query in its place, with what the query alone would answer.
  show: (results) => show(results as unknown as BatchResponse<Q>),
});

/** What an area keeps of a person: how it is read for an export, and how it is blanked. */
export type PersonalData<T> = Readonly<{
  read: (scope: PersonalDataScope, person: Person) => Reading<T>;
  /** Safe to repeat, and in any order with the other areas'. */
  erase: (scope: PersonalDataScope & Pick<Context, "now">, person: Person) => readonly Write[];
}>;
