import { and, eq, or, type SQL, sql } from "drizzle-orm";
import {
  type CategoryName,
  categoryById,
  newProductQueries,
  type ProductRecord,
  productRecordQueries,
  toProductRecords,
} from "../../catalogue/index.ts";
import { type Context, isRowOfBusiness, type Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { services } from "../tables.ts";
import type { Service, ServicePatch, ServiceResources } from "./service.ts";
import {
  resourcesOfService,
  staffAndResourceQueries,
  toServiceResources,
} from "./service-resources-query.ts";

/**
 * A service with its staff and resources, and with the record of its product. The product's record
 * tells whether the service is archived.
 */
export type ServiceRecord = ServiceResources &
  Readonly<{ service: Service; record: ProductRecord }>;

/** The ids in a create or update request. Their records must be loaded to validate the request. */
export type ServiceReferences = Readonly<{
  categoryId: string | null;
  resources: Pick<ServicePatch, "staffIds" | "resourceIds">;
}>;

const noReferences: ServiceReferences = { categoryId: null, resources: {} };

type ServiceRow = typeof services.$inferSelect;

/** The services of one business; each read is one round trip. */
export function serviceRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  const isOwned = eq(services.businessId, business.id);
  const isOwnedUnindexed = isRowOfBusiness(services.businessId, business);
  /** Matches the service's own id, and also the id of its product. */
  const hasId = (id: string) => or(eq(services.id, id), eq(services.productId, id));
  const productIdsOf = (condition: SQL | undefined) =>
    sql`(select ${services.productId} from ${services} where ${and(isOwnedUnindexed, condition)})`;

  async function load(id: string, { categoryId, resources }: ServiceReferences) {
    const [[row], staffRows, resourceRows, ...productRows] = await db.batch([
      db
        .select()
        .from(services)
        .where(and(isOwnedUnindexed, hasId(id))),
      ...staffAndResourceQueries(ctx, hasId(id), resources),
      ...productRecordQueries(ctx, productIdsOf(hasId(id)), categoryId),
    ]);
    const [record] = toProductRecords(productRows);
    if (!row || !record) throw notFound("service");
    const existing = toServiceResources([staffRows, resourceRows]);
    const service = toService(row);
    return {
      current: { service, record, ...resourcesOfService(service, existing) },
      referenced: { ...existing, category: categoryById(productRows, categoryId) },
    };
  }

  return {
    getEvenArchived: async (id: string): Promise<ServiceRecord> =>
      (await load(id, noReferences)).current,

    /** @throws Refusal NOT_FOUND, also for an archived service. */
    async get(id: string): Promise<ServiceRecord> {
      return (await this.getForUpdate(id, noReferences)).current;
    },

    /**
     * Loads a service, and the records that an update of the service refers to.
     *
     * @throws Refusal NOT_FOUND, also for an archived service.
     */
    async getForUpdate(
      id: string,
      references: ServiceReferences,
    ): Promise<{
      current: ServiceRecord;
      referenced: ServiceResources & { category: CategoryName | null };
    }> {
      const loaded = await load(id, references);
      if (loaded.current.record.isArchived) throw notFound("service");
      return loaded;
    },

    /**
     * Lists services that are not archived, newest first. `after` is the id of the last service on
     * the previous page. Also reads the table products of the catalogue, which tells what is
     * archived.
     */
    async list({
      limit,
      after,
    }: {
      limit: number;
      after: string | null;
    }): Promise<ServiceRecord[]> {
      const pageIds = sql`(
        select ${services.id} from ${services}
        where ${isOwned} ${after === null ? sql`` : sql`and ${services.id} < ${after}`}
          and exists (select 1 from products where products.id = ${services.productId} and products.archived_at is null)
        order by ${services.id} desc limit ${limit})`;
      const isOnPage = sql`${services.id} in ${pageIds}`;
      const [rows, staffRows, resourceRows, ...productRows] = await db.batch([
        db
          .select()
          .from(services)
          .where(and(isOwnedUnindexed, isOnPage))
          .orderBy(sql`${services.id} desc`),
        ...staffAndResourceQueries(ctx, isOnPage),
        ...productRecordQueries(ctx, productIdsOf(isOnPage)),
      ]);
      const records = new Map(
        toProductRecords(productRows).map((record) => [record.product.id, record]),
      );
      const existing = toServiceResources([staffRows, resourceRows]);
      return rows.flatMap((row) => {
        const service = toService(row);
        const record = records.get(service.productId);
        return record ? [{ service, record, ...resourcesOfService(service, existing) }] : [];
      });
    },

    /** Loads the records that are needed to validate a new service and its product. */
    async loadForCreate(
      product: Parameters<typeof newProductQueries>[1],
      references: ServiceReferences["resources"],
    ) {
      const [slugRows, categoryRows, staffRows, resourceRows] = await db.batch([
        ...newProductQueries(ctx, product),
        ...staffAndResourceQueries(ctx, sql`false`, references),
      ]);
      return {
        productRows: [slugRows, categoryRows] as const,
        referenced: toServiceResources([staffRows, resourceRows]),
      };
    },

    insert: (service: Service): Write =>
      db.insert(services).values({ ...service, businessId: business.id }),

    update: ({ id, productId: _, createdAt: __, ...columns }: Service): Write =>
      db
        .update(services)
        .set(columns)
        .where(and(isOwned, eq(services.id, id))),
  };
}

export function toService({ businessId: _, ...service }: ServiceRow): Service {
  return service;
}
