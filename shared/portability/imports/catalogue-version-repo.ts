import type { Db } from "../../database/index.ts";

/** The version by which isolates notice that a catalogue has changed. */
export const catalogueVersionRepo = (db: Db, businessId: string) => ({
  /** Raises it after an import. Writes the table catalogue_versions of shared/catalogue. */
  async raise(): Promise<void> {
    await db.$client
      .prepare(
        `insert into catalogue_versions (business_id, version) values (?, 1)
          on conflict (business_id) do update set version = version + 1`,
      )
      .bind(businessId)
      .run();
  },
});
