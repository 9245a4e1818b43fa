import { and, eq, or, sql } from "drizzle-orm";
import {
  type CategoryName,
  categoryIn,
  newProductQueries,
  type ProductRecord,
  recordQueries,
  recordsFrom,
} from "../catalogue/index.ts";
import type { Context, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { Service } from "./service.ts";
import { services } from "./tables.ts";

/** A service and its product's record, which says whether it is archived. */
export type ServiceRecord = Readonly<{ service: Service; record: ProductRecord }>;

type Scope = Pick<Context, "db" | "business">;
type ServiceRow = typeof services.$inferSelect;

/** A merchant's services; each read is one round trip. */
export function serviceRepo(scope: Scope) {
  const { db, business } = scope;
  const own = eq(services.businessId, business.id);
  /** By its own id or its product's (completions.md 8). */
  const named = (id: string) => and(own, or(eq(services.id, id), eq(services.productId, id)));
  const productOf = (id: string) =>
    sql`(select ${services.productId} from ${services} where ${named(id)})`;

  async function find(id: string, categoryId: string | null) {
    const [[row], ...rows] = await db.batch([
      db.select().from(services).where(named(id)),
      ...recordQueries(scope, productOf(id), categoryId),
    ]);
    const [record] = recordsFrom(rows);
    if (!row || !record) throw notFound("service");
    return { service: serviceFromRow(row), record, found: categoryIn(rows, categoryId) };
  }

  return {
    getEvenArchived: (id: string): Promise<ServiceRecord> => find(id, null),

    /** Refuses (NOT_FOUND) what is unknown, another's or archived; with the category that it is to have. */
    async get(
      id: string,
      categoryId: string | null = null,
    ): Promise<ServiceRecord & { found: CategoryName | null }> {
      const read = await find(id, categoryId);
      if (read.record.isArchived) throw notFound("service");
      return read;
    },

    /** Newest first; `after` is the id of the last one seen. */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: string | null;
    }): Promise<ServiceRecord[]> {
      const page = sql`(
        select ${services.id} from ${services}
        where ${own} ${after === null ? sql`` : sql`and ${services.id} < ${after}`}
          and exists (select 1 from products where products.id = ${services.productId} and products.archived_at is null)
        order by ${services.id} desc limit ${limit})`;
      const onPage = sql`${services.id} in ${page}`;
      const [rows, ...products] = await db.batch([
        db.select().from(services).where(and(own, onPage)).orderBy(sql`${services.id} desc`),
        ...recordQueries(
          scope,
          sql`(select ${services.productId} from ${services} where ${onPage})`,
        ),
      ]);
      const records = new Map(recordsFrom(products).map((record) => [record.product.id, record]));
      return rows.flatMap((row) => {
        const record = records.get(row.productId);
        return record ? [{ service: serviceFromRow(row), record }] : [];
      });
    },

    surroundings: (wanted: Parameters<typeof newProductQueries>[1]) =>
      db.batch(newProductQueries(scope, wanted)),

    insert: (service: Service): Write =>
      db.insert(services).values({ ...service, businessId: business.id }),

    update: ({ id, productId: _, createdAt: __, ...columns }: Service): Write =>
      db
        .update(services)
        .set(columns)
        .where(and(own, eq(services.id, id))),
  };
}

function serviceFromRow({ businessId: _, ...service }: ServiceRow): Service {
  return service;
}
