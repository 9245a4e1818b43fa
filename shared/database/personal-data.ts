import type { SQL } from "drizzle-orm";
import type { BatchedRead } from "./batched-read.ts";
import type { Write } from "./client.ts";
import type { Context } from "./context.ts";

/**
 * The person whose data are exported or erased: a customer, and SQL in parentheses for the ids of
 * their orders.
 */
export type DataSubject = Readonly<{ customerId: string; orderIds: SQL }>;

export type PersonalDataContext = Pick<Context, "db" | "business">;

/** An area's personal data: how an export reads them and how they are erased. */
export type PersonalData<T> = Readonly<{
  read: (ctx: PersonalDataContext, person: DataSubject) => BatchedRead<T>;
  /** Safe to repeat and to run in any order with other areas. */
  erase: (ctx: PersonalDataContext & Pick<Context, "now">, person: DataSubject) => readonly Write[];
}>;
