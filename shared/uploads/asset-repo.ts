import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Context, Db, Query, Write } from "../database/index.ts";
import type { Asset } from "./asset.ts";
import { deletedAt, onlyStrays, uploadFields } from "./repo.ts";
import { published, uploads } from "./tables.ts";
import type { Upload } from "./upload.ts";

/** What is read of an asset. */
export const assetFields = {
  ...uploadFields,
  // Both are there in every public row: it is written with them.
  folderPath: sql<string>`${uploads.folderPath}`,
  path: sql<string>`${uploads.path}`,
};

/** The assets of one business: there is no way to ask for another's. */
export function assetRepo({ db, business }: Pick<Context, "db" | "business">) {
  const own = (id: string, more?: SQL) =>
    and(
      eq(uploads.id, id),
      sql`+${uploads.businessId} = ${business.id} and +${uploads.visibility} = 'public'`,
      more,
    );

  return {
    /** Confirmed or not; null once it is gone. */
    async findOpen(id: string): Promise<Asset | null> {
      const [row] = await db
        .select(assetFields)
        .from(uploads)
        .where(own(id, sql`${uploads.deletedAt} is null`));
      return row ?? null;
    },

    /** As the public knows it: confirmed, and still there. */
    async find(id: string): Promise<Asset | null> {
      const [row] = await db
        .select(assetFields)
        .from(uploads)
        .where(own(id, sql`+${uploads.confirmedAt} is not null and +${uploads.deletedAt} is null`));
      return row ?? null;
    },

    /**
     * Puts an asset into its place, in one batch: what was there before is gone. The batch fails
     * (`uploads_confirmed_once`) for one that is confirmed already, or deleted itself.
     */
    publish: ({ id, path }: Asset, at: number): Write[] => [
      db
        .update(uploads)
        .set(deletedAt(at))
        .where(
          and(
            sql`${uploads.businessId} = ${business.id} and ${uploads.path} = ${path}`,
            published,
            sql`${uploads.id} <> ${id}`,
          ),
        ),
      db
        .update(uploads)
        .set({
          confirmedAt: sql`case when ${uploads.confirmedAt} is null and ${uploads.deletedAt} is null then ${at} else 0 end`,
          purgeAt: onlyStrays,
        })
        .where(own(id)),
    ],

    /** Takes an asset away. The batch fails (`uploads_confirmed_once`) for one that is gone already. */
    remove: (id: string, at: number): Write =>
      db
        .update(uploads)
        .set({
          ...deletedAt(at),
          confirmedAt: sql`case when ${uploads.deletedAt} is null then ${uploads.confirmedAt} else 0 end`,
        })
        .where(own(id)),

    /** A query for the asset's id, deleted or not: none once the sweep has forgotten it. */
    idOf: (id: string): Query => db.select({ id: uploads.id }).from(uploads).where(own(id)),
  };
}

/** What the public finds at a path of a business; null for nothing. */
export async function findAssetAt(
  db: Db,
  { businessId, path }: Readonly<{ businessId: string; path: string }>,
): Promise<Upload | null> {
  const [row] = await assetAtQuery(db, { businessId, path });
  return row ?? null;
}

export const assetAtQuery = (
  db: Db,
  { businessId, path }: Readonly<{ businessId: string; path: string }>,
) =>
  db
    .select(uploadFields)
    .from(uploads)
    .where(and(eq(uploads.businessId, businessId), eq(uploads.path, path), published));
