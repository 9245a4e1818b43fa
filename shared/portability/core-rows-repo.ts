import type { Db } from "../database/index.ts";
import { conflict } from "../kernel/index.ts";
import type { ImportJob } from "./job.ts";

type CoreRow = Readonly<Record<string, unknown>>;

/** What an import writes to CORE. */
export type CoreImport = Readonly<{
  locations: readonly CoreRow[];
  currency: string;
  defaultCountry: string;
  timezone: string;
  settings: object;
  now: number;
}>;

const locationColumns = [
  ...["id", "business_id", "name", "address", "timezone", "operating_hours", "closures"],
  ...["is_default", "offers_pickup", "pickup_instructions", "archived_at", "created_at"],
];

/** The rows of a business that CORE stores, with the names of their columns. */
export const coreRowsRepo = (db: Db, businessId: string) => ({
  /** All locations, archived ones included. Reads the table locations of shared/businesses. */
  async readLocations(): Promise<readonly CoreRow[]> {
    const { results } = await db.$client
      .prepare("select * from locations where business_id = ? order by id")
      .bind(businessId)
      .all<CoreRow>();
    return results;
  },

  /** All members and open invitations. Reads the table members of shared/members. */
  async readMembers(): Promise<readonly CoreRow[]> {
    const { results } = await db.$client
      .prepare("select * from members where business_id = ? order by id")
      .bind(businessId)
      .all<CoreRow>();
    return results;
  },

  /**
   * Replaces the locations and the set-up of the business, and moves the import on, in one batch.
   * Nothing is written when another run has taken the import over.
   *
   * @throws Refusal CONFLICT
   */
  async replace(read: ImportJob, next: ImportJob, written: CoreImport): Promise<ImportJob> {
    const d1 = db.$client;
    const version = read.version + 1;
    const isOurs = `exists (select 1 from portability_jobs as job where job.id = ?1 and job.version = ?2)`;
    const values = locationColumns.map((name) => `value ->> '$.${name}'`).join(", ");
    // Writes the tables locations and businesses of shared/businesses.
    const [saved] = await d1.batch([
      d1
        .prepare(
          `update portability_jobs set position = ?3, version = ?2, tries = 0
            where id = ?1 and version = ?4 returning id`,
        )
        .bind(read.id, version, JSON.stringify(next.position), read.version),
      d1
        .prepare(`delete from locations where business_id = ?3 and ${isOurs}`)
        .bind(read.id, version, businessId),
      d1
        .prepare(
          `insert into locations (${locationColumns.join(", ")})
            select ${values} from json_each(?3) where ${isOurs}`,
        )
        .bind(read.id, version, JSON.stringify(written.locations)),
      d1
        .prepare(
          `update businesses set currency = ?4, default_country = ?5, timezone = ?6, settings = ?7,
            updated_at = max(?8, updated_at + 1) where id = ?3 and ${isOurs}`,
        )
        .bind(
          ...[read.id, version, businessId, written.currency, written.defaultCountry],
          ...[written.timezone, JSON.stringify(written.settings), written.now],
        ),
    ]);
    if (saved?.results.length !== 1) throw conflict("Another run has taken this job over.");
    return { ...next, version, tries: 0 };
  },
});
