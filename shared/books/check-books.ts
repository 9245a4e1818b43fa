import { businessRepo } from "../businesses/index.ts";
import type { Db } from "../database/index.ts";
import { second } from "../kernel/index.ts";
import type { BooksFinding } from "./books-check-query.ts";
import {
  type BooksPosition,
  checkPage,
  firstPosition,
  listIdsOfShard,
} from "./check-page-query.ts";

/** A call ends after so many batches, of which D1 allows a thousand queries. */
const maxPages = 20;
const maxMs = 5 * second;
/** More than that says no more. The next call continues after them. */
const maxFindings = 100;

export type BooksContext = Readonly<{
  core: Db;
  dbFor: (shard: string) => Db;
  now: () => number;
}>;

/** One business, or all businesses of a shard. */
export type BooksScope =
  | Readonly<{ type: "business"; businessId: string }>
  | Readonly<{ type: "shard"; shard: string }>;

/** Where the next call continues: in which business, and where in its books. */
export type BooksCursor = Readonly<{ businessId: string; position: BooksPosition }>;

export type BooksReport = Readonly<{ findings: readonly BooksFinding[]; next: BooksCursor | null }>;

type CheckedBusiness = Readonly<{ id: string; shard: string }>;

/**
 * Checks a part of the books and says what does not agree. Nothing is changed.
 *
 * @throws Refusal NOT_FOUND for an unknown business.
 */
export async function checkBooks(
  ctx: BooksContext,
  scope: BooksScope,
  cursor: BooksCursor | null,
): Promise<BooksReport> {
  const startedAt = ctx.now();
  const businesses = await listBusinesses(ctx, scope, cursor);
  const findings: BooksFinding[] = [];
  let pages = 0;
  for (const { id: businessId, shard } of businesses) {
    const isContinued = cursor?.businessId === businessId;
    let position: BooksPosition | null = isContinued ? cursor.position : firstPosition;
    while (position !== null) {
      const isOver = pages >= maxPages || ctx.now() - startedAt > maxMs;
      if (isOver || findings.length >= maxFindings)
        return { findings, next: { businessId, position } };
      const page = await checkPage(ctx.dbFor(shard), { businessId, now: startedAt }, position);
      pages += 1;
      findings.push(...page.findings);
      position = page.next;
    }
  }
  return { findings, next: null };
}

/** The business, or so many of a shard that the last one is left for the next call. */
async function listBusinesses(
  { core }: BooksContext,
  scope: BooksScope,
  cursor: BooksCursor | null,
): Promise<readonly CheckedBusiness[]> {
  if (scope.type === "business") return [await businessRepo(core).get(scope.businessId)];
  const { shard } = scope;
  const from = cursor?.businessId ?? "";
  const ids = await listIdsOfShard(core, { shard, from, limit: maxPages + 1 });
  return ids.map((id) => ({ id, shard }));
}
