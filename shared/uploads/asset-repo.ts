import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Context, Db, Query, Write } from "../database/index.ts";
import type { Asset } from "./asset.ts";
import { publishedCondition, uploads } from "./tables.ts";
import type { Upload } from "./upload.ts";
import { deletionFields, purgeAtAfterConfirm, uploadFields } from "./upload-repo.ts";

/** The columns of an `Asset`. */
export const assetFields = {
  ...uploadFields,
  // Never null in a public row.
  folderPath: sql<string>`${uploads.folderPath}`,
  path: sql<string>`${uploads.path}`,
};

/** The assets of one business. */
export function assetRepo({ db, business }: Pick<Context, "db" | "business">) {
  const withId = (id: string, condition?: SQL) =>
    and(
      eq(uploads.id, id),
      sql`+${uploads.businessId} = ${business.id} and +${uploads.visibility} = 'public'`,
      condition,
    );

  return {
    /** An asset, confirmed or not; null once it is deleted. */
    async findUndeleted(id: string): Promise<Asset | null> {
      const [row] = await db
        .select(assetFields)
        .from(uploads)
        .where(withId(id, sql`${uploads.deletedAt} is null`));
      return row ?? null;
    },

    /** A confirmed asset that is not deleted. */
    async findPublic(id: string): Promise<Asset | null> {
      const [row] = await db
        .select(assetFields)
        .from(uploads)
        .where(
          withId(id, sql`+${uploads.confirmedAt} is not null and +${uploads.deletedAt} is null`),
        );
      return row ?? null;
    },

    /**
     * Publishes an asset and deletes the one at its path. The batch breaks `uploads_confirmed_once`
     * when the asset is confirmed already or deleted.
     */
    publish: ({ id, path }: Asset, at: number): Write[] => [
      db
        .update(uploads)
        .set(deletionFields(at))
        .where(
          and(
            sql`${uploads.businessId} = ${business.id} and ${uploads.path} = ${path}`,
            publishedCondition,
            sql`${uploads.id} <> ${id}`,
          ),
        ),
      db
        .update(uploads)
        .set({
          confirmedAt: sql`case when ${uploads.confirmedAt} is null and ${uploads.deletedAt} is null then ${at} else 0 end`,
          purgeAt: purgeAtAfterConfirm,
        })
        .where(withId(id)),
    ],

    /** Breaks `uploads_confirmed_once` when the asset is deleted already. */
    softDelete: (id: string, at: number): Write =>
      db
        .update(uploads)
        .set({
          ...deletionFields(at),
          confirmedAt: sql`case when ${uploads.deletedAt} is null then ${uploads.confirmedAt} else 0 end`,
        })
        .where(withId(id)),

    /** A query for the asset's id, deleted or not; no row once it is purged. */
    selectId: (id: string): Query => db.select({ id: uploads.id }).from(uploads).where(withId(id)),
  };
}

/** The public asset at a path of a business. */
export async function findAssetByPath(
  db: Db,
  { businessId, path }: Readonly<{ businessId: string; path: string }>,
): Promise<Upload | null> {
  const [row] = await assetByPathQuery(db, { businessId, path });
  return row ?? null;
}

export const assetByPathQuery = (
  db: Db,
  { businessId, path }: Readonly<{ businessId: string; path: string }>,
) =>
  db
    .select(uploadFields)
    .from(uploads)
    .where(and(eq(uploads.businessId, businessId), eq(uploads.path, path), publishedCondition));
