import type { SQL } from "drizzle-orm";
import type { BatchedRead } from "./batched-read.ts";
import type { Write } from "./client.ts";
import type { Context } from "./context.ts";

/**
 * The person whose data are exported or erased: the customer's id, and SQL in parentheses that
 * selects the ids of the customer's orders.
 */
export type DataSubject = Readonly<{ customerId: string; orderIds: SQL }>;

export type PersonalDataContext = Pick<Context, "db" | "business">;

/** How an area (such as orders) exports and erases its personal data. */
export type PersonalData<T> = Readonly<{
  read: (ctx: PersonalDataContext, person: DataSubject) => BatchedRead<T>;
  /** Erases the data. It can be repeated, and areas can be erased in any order. */
  erase: (ctx: PersonalDataContext & Pick<Context, "now">, person: DataSubject) => readonly Write[];
}>;
