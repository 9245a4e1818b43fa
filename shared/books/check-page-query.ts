import { type SQL, sql } from "drizzle-orm";
import { type BatchedRead, batchedRead, type Db, readTogether } from "../database/index.ts";
import type { BooksFinding, CheckScope, Ledger, PageKey } from "./books-check-query.ts";
import { orderLedger } from "./order-ledger-query.ts";
import { slotLedger } from "./slot-ledger-query.ts";
import { eventLedger, stockLedger } from "./stock-ledger-query.ts";

/** New ledgers are appended, because a position names a ledger by its index. */
const ledgers: readonly Ledger[] = [orderLedger, stockLedger, eventLedger, slotLedger];

/** The names of all checks. */
export const checkNames: readonly string[] = ledgers.flatMap(({ checks }) =>
  checks.map(({ name }) => name),
);

/** The checks of stock levels and services add up their movements and claims, which may be many. */
const recordsPerPage = 200;

/** Where the check of a business continues: in which ledger, and after which of its records. */
export type BooksPosition = Readonly<{ ledger: number; after: PageKey | null }>;

export const firstPosition: BooksPosition = { ledger: 0, after: null };

export const isPosition = ({ ledger }: BooksPosition): boolean => ledger < ledgers.length;

type CheckedPage = Readonly<{
  findings: readonly BooksFinding[];
  /** Null when all records of the business were checked. */
  next: BooksPosition | null;
}>;

/**
 * Checks ledgers from a position on, up to the first that has more than one page; the next call
 * continues there. All queries are one batch, so they see the same moment. A finding counts when a
 * second batch finds it too.
 */
export async function checkPage(
  db: Db,
  scope: CheckScope,
  position: BooksPosition,
): Promise<CheckedPage> {
  const page = await readPage(db, scope, position);
  if (page.findings.length === 0) return page;
  const second = await readPage(db, scope, position);
  // Records were added meanwhile, so the two pages have others; the next call reads the page again.
  if (JSON.stringify(second.next) !== JSON.stringify(page.next))
    return { findings: [], next: position };
  const again = new Set(second.findings.map(({ check, record }) => `${check} ${record}`));
  const confirmed = page.findings.filter(({ check, record }) => again.has(`${check} ${record}`));
  return { ...page, findings: confirmed };
}

async function readPage(
  db: Db,
  scope: CheckScope,
  { ledger: begin, after }: BooksPosition,
): Promise<CheckedPage> {
  const pages = ledgers
    .slice(begin)
    .map(({ page }, index) =>
      page({ ...scope, after: index === 0 ? after : null, limit: recordsPerPage }),
    );
  const reads = ledgers
    .slice(begin)
    .map((ledger, index) => ledgerRead(db, scope, ledger, pageUnlessEarlierIsFull(pages, index)));
  const findings: BooksFinding[] = [];
  for (const [index, page] of (await readTogether(db, reads)).entries()) {
    findings.push(...page.findings);
    if (page.end !== null) return { findings, next: { ledger: begin + index, after: page.end } };
  }
  return { findings, next: null };
}

/**
 * The page of a ledger. It is empty when the page of an earlier ledger is full, because the next call
 * continues there.
 */
function pageUnlessEarlierIsFull(pages: readonly SQL[], index: number): SQL {
  const earlierAreNotFull = pages
    .slice(0, index)
    .map((page) => sql` and (select count(*) from (${page})) < ${recordsPerPage}`);
  return sql`select * from (${pages[index]}) where true${sql.join(earlierAreNotFull)}`;
}

/** Reads the findings of a ledger's page, and its last record; null when the page is not full. */
function ledgerRead(
  db: Db,
  scope: CheckScope,
  { checks }: Ledger,
  records: SQL,
): BatchedRead<Readonly<{ findings: readonly BooksFinding[]; end: PageKey | null }>> {
  const end = db
    .select({ first: sql<string>`cast(first as text)`, second: sql<string>`cast(second as text)` })
    .from(sql`(${records})`)
    .limit(1)
    .offset(recordsPerPage - 1);
  const violations = checks.map((check) =>
    db
      .select({
        record: sql<string>`record`,
        expected: sql<string | null>`cast(expected as text)`,
        found: sql<string | null>`cast(found as text)`,
      })
      .from(sql`(with page as (${records}) ${check.violations(scope)})`),
  );
  return batchedRead([end, ...violations], ([[last], ...rows]) => ({
    findings: rows.flatMap((found, index) =>
      found.map((row) => ({
        check: checks[index]?.name ?? "",
        businessId: scope.businessId,
        ...row,
      })),
    ),
    end: last === undefined ? null : [last.first, last.second],
  }));
}

/** The ids of a shard's businesses in their order, from one on. Reads businesses of businesses. */
export async function listIdsOfShard(
  core: Db,
  { shard, from, limit }: Readonly<{ shard: string; from: string; limit: number }>,
): Promise<string[]> {
  const rows = await core
    .select({ id: sql<string>`id` })
    .from(sql`businesses`)
    .where(sql`shard = ${shard} and id >= ${from}`)
    .orderBy(sql`id`)
    .limit(limit);
  return rows.map(({ id }) => id);
}
