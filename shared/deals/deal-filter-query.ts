import { and, type SQL, sql } from "drizzle-orm";
import { codeKeyOf } from "./deal.ts";
import { deals } from "./tables.ts";

/** Whether shoppers can use a deal: the first of these that is true of it. */
export const dealStatuses = ["inactive", "ended", "used_up", "scheduled", "active"] as const;

export type DealFilter = Readonly<{
  /** The beginning of the code, or words of the name. */
  search?: string | undefined;
  status?: (typeof dealStatuses)[number] | undefined;
}>;

const maxWords = 5;

/** The condition that a deal matches the filter at a time. */
export const matchesDealFilter = ({ search, status }: DealFilter, now: number): SQL | undefined =>
  and(
    search === undefined ? undefined : matchesText(search.trim()),
    status === undefined ? undefined : sql`${statusAt(now)} = ${status}`,
  );

const statusAt = (now: number): SQL => sql`case
  when not ${deals.isActive} then 'inactive'
  when ${deals.endsAt} <= ${now} then 'ended'
  when ${deals.timesRedeemed} >= ${deals.usageLimit} then 'used_up'
  when ${deals.startsAt} > ${now} then 'scheduled'
  else 'active' end`;

function matchesText(search: string): SQL {
  const words = search.split(/\s+/).slice(0, maxWords);
  const inName = words.map(
    (word) => sql`' ' || ${deals.name} like ${like(`% `, word)} escape '\\'`,
  );
  return sql`(${deals.codeKey} like ${like("", codeKeyOf(search))} escape '\\'
    or (${sql.join(inName, sql` and `)}))`;
}

/** A pattern of LIKE for texts in which the word follows what comes before it. */
const like = (before: string, word: string): string =>
  `${before}${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
