import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import { standardTaxClass } from "../catalogue/index.ts";
import { type Context, updatedAtUnlessChanged, type Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import { taxClasses } from "./tables.ts";
import { type TaxClass, unnamedStandardClass, withStandardClass } from "./tax-class.ts";

/** A tax class with the times by which concurrent changes are detected. */
export type TaxClassRecord = Readonly<{
  taxClass: TaxClass;
  updatedAt: number;
  archivedAt: number | null;
}>;

/** The class `standard` of a business that has not renamed it, and so has no row. */
const standardWithoutRow: TaxClassRecord = {
  taxClass: unnamedStandardClass,
  updatedAt: 0,
  archivedAt: null,
};

/** Reads and writes the tax classes of one business; each read is one round trip. */
export function taxClassRepo({ db, business }: Pick<Context, "db" | "business">) {
  const ofBusiness = eq(taxClasses.businessId, business.id);

  async function getEvenArchived(code: string): Promise<TaxClassRecord> {
    const [row] = await db
      .select()
      .from(taxClasses)
      .where(and(ofBusiness, eq(taxClasses.code, code)));
    if (row) return toRecord(row);
    if (code === standardTaxClass) return standardWithoutRow;
    throw notFound("tax class");
  }

  return {
    getEvenArchived,

    async get(code: string): Promise<TaxClassRecord> {
      const record = await getEvenArchived(code);
      if (record.archivedAt !== null) throw notFound("tax class");
      return record;
    },

    /** Lists classes in the order of their codes. `after` is the last code of the previous page. */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: string | null;
    }): Promise<readonly TaxClass[]> {
      const rows = await db
        .select({ code: taxClasses.code, name: taxClasses.name })
        .from(taxClasses)
        .where(
          and(
            ofBusiness,
            isNull(taxClasses.archivedAt),
            after === null ? undefined : gt(taxClasses.code, after),
          ),
        )
        .orderBy(asc(taxClasses.code))
        .limit(limit);
      return withStandardClass(rows, after).slice(0, limit);
    },

    /**
     * Inserts a class, or restores an archived one. Fails on `tax_classes.updated_at` when the
     * business has a class with this code.
     */
    insert: ({ code, name }: TaxClass, now: number): Write =>
      db
        .insert(taxClasses)
        .values({ code, name, businessId: business.id, createdAt: now, updatedAt: now })
        .onConflictDoUpdate({
          target: [taxClasses.businessId, taxClasses.code],
          set: {
            name,
            archivedAt: null,
            createdAt: now,
            updatedAt: sql`case when ${taxClasses.archivedAt} is not null
              then max(${taxClasses.updatedAt} + 1, ${now}) end`,
          },
        }),

    /**
     * Renames a class. Inserts a row for the class `standard` when it has none. Fails on
     * `tax_classes.updated_at` when the row has changed since it was read.
     */
    rename: (before: TaxClassRecord, name: string, updatedAt: number): Write =>
      db
        .insert(taxClasses)
        .values({
          code: before.taxClass.code,
          name,
          businessId: business.id,
          createdAt: updatedAt,
          updatedAt,
        })
        .onConflictDoUpdate({
          target: [taxClasses.businessId, taxClasses.code],
          set: { name, updatedAt: updatedAtUnlessChanged(taxClasses, before, { updatedAt }) },
        }),

    /** Fails on `tax_classes_in_use` when a product or a rate has the class. */
    archive: (before: TaxClassRecord, archivedAt: number): Write =>
      db
        .update(taxClasses)
        .set({
          archivedAt,
          updatedAt: updatedAtUnlessChanged(taxClasses, before, { updatedAt: archivedAt }),
        })
        .where(and(ofBusiness, eq(taxClasses.code, before.taxClass.code))),
  };
}

/** Selects those of the codes that are classes with a row, for a batch. */
export const taxClassCodesQuery = (
  { db, business }: Pick<Context, "db" | "business">,
  codes: readonly string[],
) =>
  db
    .select({ code: taxClasses.code })
    .from(taxClasses)
    .where(
      and(
        eq(taxClasses.businessId, business.id),
        sql`${taxClasses.code} in (select value from json_each(${JSON.stringify(codes)}))`,
        isNull(taxClasses.archivedAt),
      ),
    );

const toRecord = ({
  code,
  name,
  updatedAt,
  archivedAt,
}: typeof taxClasses.$inferSelect): TaxClassRecord => ({
  taxClass: { code, name },
  updatedAt,
  archivedAt,
});
