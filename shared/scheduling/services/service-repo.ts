import { and, eq, or, type SQL, sql } from "drizzle-orm";
import {
  type CategoryName,
  categoryIn,
  newProductQueries,
  ownRow,
  type ProductRecord,
  recordQueries,
  recordsFrom,
} from "../../catalogue/index.ts";
import type { Context, Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { services } from "../tables.ts";
import type { Service, ServiceMeans, ServicePatch } from "./service.ts";
import { meansFrom, meansOf, meansQueries } from "./service-means-repo.ts";

/** A service, who gives it and on what, and its product's record, which says whether it is archived. */
export type ServiceRecord = ServiceMeans & Readonly<{ service: Service; record: ProductRecord }>;

/** What a service is to have, for which it has to be asked what there is. */
export type WantedOfService = Readonly<{
  categoryId: string | null;
  means: Pick<ServicePatch, "staffIds" | "resourceIds">;
}>;

const nothing: WantedOfService = { categoryId: null, means: {} };

type Scope = Pick<Context, "db" | "business">;
type ServiceRow = typeof services.$inferSelect;

/** A merchant's services; each read is one round trip. */
export function serviceRepo(scope: Scope) {
  const { db, business } = scope;
  const own = eq(services.businessId, business.id);
  const ownFound = ownRow(services.businessId, business);
  /** By its own id or its product's (completions.md 8). */
  const named = (id: string) => or(eq(services.id, id), eq(services.productId, id));
  const productsOf = (chosen: SQL | undefined) =>
    sql`(select ${services.productId} from ${services} where ${and(ownFound, chosen)})`;

  async function find(id: string, { categoryId, means }: WantedOfService) {
    const [[row], staff, resources, ...rows] = await db.batch([
      db
        .select()
        .from(services)
        .where(and(ownFound, named(id))),
      ...meansQueries(scope, named(id), means),
      ...recordQueries(scope, productsOf(named(id)), categoryId),
    ]);
    const [record] = recordsFrom(rows);
    if (!row || !record) throw notFound("service");
    const there = meansFrom([staff, resources]);
    const service = serviceFromRow(row);
    return {
      found: { service, record, ...meansOf(service, there) },
      there: { ...there, category: categoryIn(rows, categoryId) },
    };
  }

  return {
    getEvenArchived: async (id: string): Promise<ServiceRecord> => (await find(id, nothing)).found,

    /** Refuses (NOT_FOUND) what is unknown, another's or archived. */
    async get(id: string): Promise<ServiceRecord> {
      return (await this.getForUpdate(id, nothing)).found;
    },

    /** With what is there of what it is to have. */
    async getForUpdate(
      id: string,
      wanted: WantedOfService,
    ): Promise<{
      found: ServiceRecord;
      there: ServiceMeans & { category: CategoryName | null };
    }> {
      const read = await find(id, wanted);
      if (read.found.record.isArchived) throw notFound("service");
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
      const [rows, staff, resources, ...products] = await db.batch([
        db.select().from(services).where(and(ownFound, onPage)).orderBy(sql`${services.id} desc`),
        ...meansQueries(scope, onPage),
        ...recordQueries(scope, productsOf(onPage)),
      ]);
      const records = new Map(recordsFrom(products).map((record) => [record.product.id, record]));
      const there = meansFrom([staff, resources]);
      return rows.flatMap((row) => {
        const service = serviceFromRow(row);
        const record = records.get(service.productId);
        return record ? [{ service, record, ...meansOf(service, there) }] : [];
      });
    },

    /** What a new service has to be asked of the database. */
    async surroundings(
      wanted: Parameters<typeof newProductQueries>[1],
      means: WantedOfService["means"],
    ) {
      const [slugs, categories, staff, resources] = await db.batch([
        ...newProductQueries(scope, wanted),
        ...meansQueries(scope, sql`false`, means),
      ]);
      return { ofProduct: [slugs, categories] as const, means: meansFrom([staff, resources]) };
    },

    insert: (service: Service): Write =>
      db.insert(services).values({ ...service, businessId: business.id }),

    update: ({ id, productId: _, createdAt: __, ...columns }: Service): Write =>
      db
        .update(services)
        .set(columns)
        .where(and(own, eq(services.id, id))),
  };
}

export function serviceFromRow({ businessId: _, ...service }: ServiceRow): Service {
  return service;
}
