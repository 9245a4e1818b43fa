import type { Db } from "../database/index.ts";

/** The rows of a business that CORE stores, with the names of their columns. */
export const coreRowsRepo = (db: Db, businessId: string) => ({
  /** All locations, archived ones included. Reads the table locations of shared/businesses. */
  async readLocations(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { results } = await db.$client
      .prepare("select * from locations where business_id = ? order by id")
      .bind(businessId)
      .all<Record<string, unknown>>();
    return results;
  },
});
