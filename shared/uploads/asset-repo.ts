import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Context, Db, Query, Write } from "../database/index.ts";
import type { Asset } from "./asset.ts";
import { publishedCondition, uploads } from "./tables.ts";
import type { Upload } from "./upload.ts";
import { deletionFields, purgeAtAfterConfirm, uploadFields } from "./upload-repo.ts";

/** The columns of an `Asset`. */
export const assetFields = {
  ...uploadFields,
  // Both columns are set in every public row.
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
    /** Finds an asset that is not deleted. It need not be confirmed. */
    async findUndeleted(id: string): Promise<Asset | null> {
      const [row] = await db
        .select(assetFields)
        .from(uploads)
        .where(withId(id, sql`${uploads.deletedAt} is null`));
      return row ?? null;
    },

    /** Finds an asset that is confirmed and not deleted. */
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
     * Publishes an asset and deletes the public asset with the same path. Violates
     * `uploads_confirmed_once` when the asset is already confirmed or deleted.
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

    /**
     * Publishes an asset of which `storeAsset` has stored the bytes. Violates
     * `uploads_confirmed_once` when the asset is already confirmed or deleted.
     */
    publishStored: ({ id, etag }: Pick<Asset, "id" | "etag">, at: number): Write =>
      db
        .update(uploads)
        .set({
          receivedAttempt: 1,
          etag,
          confirmedAt: sql`case when ${uploads.confirmedAt} is null and ${uploads.deletedAt} is null then ${at} else 0 end`,
          purgeAt: null,
        })
        .where(withId(id)),

    /** Deletes an asset. Violates `uploads_confirmed_once` when the asset is already deleted. */
    softDelete: (id: string, at: number): Write =>
      db
        .update(uploads)
        .set({
          ...deletionFields(at),
          confirmedAt: sql`case when ${uploads.deletedAt} is null then ${uploads.confirmedAt} else 0 end`,
        })
        .where(withId(id)),

    /** A query for the asset's id. Also finds a deleted asset until it is purged. */
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
