import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../database/index.ts";
import type { Asset, AssetFilter } from "./asset.ts";
import { folderPathOf } from "./asset-path.ts";
import { assetFields } from "./asset-repo.ts";
import { assetCounts, published, uploads } from "./tables.ts";

type Scope = Pick<Context, "db" | "business">;
type Window = Readonly<{ limit: number; offset: number }>;

/**
 * The newest assets first, and how many there are in all (interface.md, GET /assets); one round trip.
 * However many there are, those of the page are read, and those before it.
 */
export async function listAssets(
  ctx: Scope,
  filter: AssetFilter,
  window: Window,
): Promise<Readonly<{ assets: readonly Asset[]; total: number }>> {
  const [assets, [counted]] = await ctx.db.batch([
    assetPageQuery(ctx, filter, window),
    assetTotalQuery(ctx, filter),
  ]);
  return { assets, total: counted?.total ?? 0 };
}

/** The statement of a page: along the order of its index, or along those of the types that are asked for. */
export const assetPageQuery = (ctx: Scope, filter: AssetFilter, window: Window) =>
  filter.mimePrefix === null ? wholePage(ctx, filter, window) : pageOfTypes(ctx, filter, window);

/** The statement of a total: counts are kept, and few types are added up. */
export const assetTotalQuery = ({ db, business }: Scope, filter: AssetFilter) =>
  db
    .select({ total: sql<number>`coalesce(sum(${assetCounts.assets}), 0)` })
    .from(assetCounts)
    .where(isCounted(business, filter));

const wholePage = ({ db, business }: Scope, { folder }: AssetFilter, { limit, offset }: Window) =>
  db
    .select(assetFields)
    .from(uploads)
    .where(
      and(
        eq(uploads.businessId, business.id),
        published,
        folder === null ? undefined : eq(uploads.folderPath, folderPathOf(folder)),
      ),
    )
    .orderBy(desc(uploads.createdAt), desc(uploads.id))
    .limit(limit)
    .offset(offset);

/**
 * Of each type the next asset waits in a queue, from which the newest of all is taken and the one
 * behind it put in its place: as many rows are read as there are types and places before the page's end.
 */
function pageOfTypes({ db, business }: Scope, filter: AssetFilter, { limit, offset }: Window) {
  const { folder } = filter;
  const index = folder === null ? sql`assets_of_type` : sql`assets_of_type_in_folder`;
  const nextOf = (contentType: SQL, behind: SQL) => sql`
    cross join ${uploads} as newest where newest.id = (
      select id from ${uploads} indexed by ${index}
      where business_id = ${business.id} and ${published} and lower(content_type) = ${contentType}
        ${folder === null ? sql`` : sql`and folder_path = ${folderPathOf(folder)}`} ${behind}
      order by created_at desc, id desc limit 1)`;
  // Types and ids without a column's affinity, or the index would be searched by what is before them.
  const behindPlace = sql`and (created_at, id) < (place.at, place.asset || '')`;
  const places = sql`
    with recursive place (asset, at, kind) as (
      select newest.id, newest.created_at, kind.kind
      from (select content_type || '' as kind from ${assetCounts} where ${isCounted(business, filter)}) as kind
        ${nextOf(sql`kind.kind`, sql``)}
      union all
      select newest.id, newest.created_at, place.kind from place
        ${nextOf(sql`place.kind`, behindPlace)}
      order by 2 desc, 1 desc limit ${limit} offset ${offset})
    select asset from place`;
  return db
    .select(assetFields)
    .from(uploads)
    .where(sql`+${uploads.businessId} = ${business.id} and ${uploads.id} in (${places})`)
    .orderBy(desc(uploads.createdAt), desc(uploads.id));
}

const isCounted = (business: { id: string }, { folder, mimePrefix }: AssetFilter) =>
  and(
    eq(assetCounts.businessId, business.id),
    eq(assetCounts.scope, folder === null ? "" : `/${folderPathOf(folder)}`),
    mimePrefix === null
      ? undefined
      : sql`substr(${assetCounts.contentType}, 1, length(${mimePrefix})) = lower(${mimePrefix})`,
  );
