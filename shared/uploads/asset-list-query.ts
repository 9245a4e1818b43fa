import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { type Asset, type AssetFilter, normalizeFolder } from "./asset.ts";
import { assetFields } from "./asset-repo.ts";
import type { UploadRepoContext } from "./context.ts";
import { assetCounts, publishedCondition, uploads } from "./tables.ts";

type PageWindow = Readonly<{ limit: number; offset: number }>;

/**
 * A page of assets, the newest first, and their total (docs/contract/business.md#asset-list). One
 * round trip that reads only the rows up to the page's end.
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

/** The rows of a page, read in the order of an index. */
export const assetPageQuery = (ctx: UploadRepoContext, filter: AssetFilter, page: PageWindow) =>
  filter.mimePrefix === null
    ? allTypesPage(ctx, filter, page)
    : matchingTypesPage(ctx, filter, page);

/** The total, summed up from the maintained counts of each type. */
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
 * Merges the matching types, each in its index order: the newest candidate of all types is taken and
 * replaced by the next one of its type, so that few rows beyond the page are read.
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
  // The `|| ''` removes column affinity, which would make SQLite use a shorter part of the index.
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
