import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { type Asset, type AssetFilter, normalizeFolder } from "./asset.ts";
import { assetFields } from "./asset-repo.ts";
import type { UploadRepoContext } from "./context.ts";
import { assetCounts, publishedCondition, uploads } from "./tables.ts";

type PageWindow = Readonly<{ limit: number; offset: number }>;

/**
 * A page of assets, newest first, and the total (docs/contract/business.md#asset-list). One round
 * trip, which reads no rows after the page.
 */
export async function listAssets(
  ctx: UploadRepoContext,
  filter: AssetFilter,
  page: PageWindow,
): Promise<Readonly<{ assets: readonly Asset[]; total: number }>> {
  const [assets, [count]] = await ctx.db.batch([
    assetPageQuery(ctx, filter, page),
    assetTotalQuery(ctx, filter),
  ]);
  return { assets, total: count?.total ?? 0 };
}

/**
 * A query for the assets of a page. The rows are read in the order of an index, without sorting.
 */
export const assetPageQuery = (ctx: UploadRepoContext, filter: AssetFilter, page: PageWindow) =>
  filter.mimePrefix === null
    ? allTypesPage(ctx, filter, page)
    : matchingTypesPage(ctx, filter, page);

/** A query for the total. It sums up the counts per type that triggers maintain. */
export const assetTotalQuery = ({ db, business }: UploadRepoContext, filter: AssetFilter) =>
  db
    .select({ total: sql<number>`coalesce(sum(${assetCounts.assets}), 0)` })
    .from(assetCounts)
    .where(countsFor(business, filter));

const allTypesPage = (
  { db, business }: UploadRepoContext,
  { folder }: AssetFilter,
  { limit, offset }: PageWindow,
) =>
  db
    .select(assetFields)
    .from(uploads)
    .where(
      and(
        eq(uploads.businessId, business.id),
        publishedCondition,
        folder === null ? undefined : eq(uploads.folderPath, normalizeFolder(folder)),
      ),
    )
    .orderBy(desc(uploads.createdAt), desc(uploads.id))
    .limit(limit)
    .offset(offset);

/**
 * Merges the matching types, newest asset first. In each step, the newest asset of all types is
 * taken, and the next asset of the same type is read. So only a few rows after the page are read.
 */
function matchingTypesPage(
  { db, business }: UploadRepoContext,
  filter: AssetFilter,
  { limit, offset }: PageWindow,
) {
  const { folder } = filter;
  const index = folder === null ? sql`assets_of_type` : sql`assets_of_type_in_folder`;
  const nextOf = (contentType: SQL, after: SQL) => sql`
    cross join ${uploads} as newest where newest.id = (
      select id from ${uploads} indexed by ${index}
      where business_id = ${business.id} and ${publishedCondition} and lower(content_type) = ${contentType}
        ${folder === null ? sql`` : sql`and folder_path = ${normalizeFolder(folder)}`} ${after}
      order by created_at desc, id desc limit 1)`;
  // The `|| ''` removes column affinity. With the affinity, SQLite would use fewer columns of the
  // index.
  const afterEntry = sql`and (created_at, id) < (entry.at, entry.asset || '')`;
  const pageIds = sql`
    with recursive entry (asset, at, kind) as (
      select newest.id, newest.created_at, kind.kind
      from (select content_type || '' as kind from ${assetCounts} where ${countsFor(business, filter)}) as kind
        ${nextOf(sql`kind.kind`, sql``)}
      union all
      select newest.id, newest.created_at, entry.kind from entry
        ${nextOf(sql`entry.kind`, afterEntry)}
      order by 2 desc, 1 desc limit ${limit} offset ${offset})
    select asset from entry`;
  return db
    .select(assetFields)
    .from(uploads)
    .where(sql`+${uploads.businessId} = ${business.id} and ${uploads.id} in (${pageIds})`)
    .orderBy(desc(uploads.createdAt), desc(uploads.id));
}

const countsFor = (business: { id: string }, { folder, mimePrefix }: AssetFilter) =>
  and(
    eq(assetCounts.businessId, business.id),
    eq(assetCounts.scope, folder === null ? "" : `/${normalizeFolder(folder)}`),
    mimePrefix === null
      ? undefined
      : sql`substr(${assetCounts.contentType}, 1, length(${mimePrefix})) = lower(${mimePrefix})`,
  );
