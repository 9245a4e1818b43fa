import { eq, sql } from "drizzle-orm";
import type { Context, Db, Write } from "../database/index.ts";
import { catalogueVersions } from "./tables.ts";

export type BusinessRef = Readonly<{ id: string }>;

/** A database client, and the business whose catalogue is read. */
export type CatalogueReader = Readonly<{ db: Db; business: BusinessRef }>;

/** A result, and the catalogue version at which it was read. */
export type AtVersion<T> = Readonly<{ version: number; data: T }>;

/**
 * Selects the catalogue version of a business. Every catalogue write raises this number; a missing
 * row means 0.
 */
export const catalogueVersionQuery = (db: Db, businessId: string) =>
  db
    .select({ version: catalogueVersions.version })
    .from(catalogueVersions)
    .where(eq(catalogueVersions.businessId, businessId));

/** The version that `catalogueVersionQuery` selected. */
export const parseVersion = (rows: readonly Readonly<{ version: number }>[]): number =>
  rows[0]?.version ?? 0;

export async function readCatalogueVersion({ db, business }: CatalogueReader): Promise<number> {
  return parseVersion(await catalogueVersionQuery(db, business.id));
}

/**
 * Raises the catalogue version. Every catalogue write needs this statement in its batch, so that no
 * cached response is served after the write.
 */
export const raiseCatalogueVersion = ({ db, business }: Pick<Context, "db" | "business">): Write =>
  db
    .insert(catalogueVersions)
    .values({ businessId: business.id, version: 1 })
    .onConflictDoUpdate({
      target: catalogueVersions.businessId,
      set: { version: sql`${catalogueVersions.version} + 1` },
    });
