import { and, eq, sql } from "drizzle-orm";
import type { Db, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { Business } from "./business.ts";
import type { ApiKey } from "./keys/key.ts";
import { toApiKey } from "./keys/key-repo.ts";
import { accountsQuery } from "./provider-accounts/account-repo.ts";
import { activeLocationsQuery, toBusiness } from "./repo.ts";
import { apiKeys, businesses, locations, organizations, providerAccounts } from "./tables.ts";

/** Organizations in CORE, each with the business that its keys serve by default. */
export function organizationRepo(db: Db) {
  const defaultBusinessQueries = (organizationId: string) => {
    const defaultBusinessIdQuery = sql`(
      select ${organizations.defaultBusinessId} from ${organizations} where ${organizations.id} = ${organizationId})`;
    return [
      db.select().from(businesses).where(sql`${businesses.id} = ${defaultBusinessIdQuery}`),
      activeLocationsQuery(db, sql`${locations.businessId} = ${defaultBusinessIdQuery}`),
      accountsQuery(db, sql`${providerAccounts.businessId} = ${defaultBusinessIdQuery}`),
    ] as const;
  };

  return {
    /**
     * Reads the business that an organization's key serves when the request names no business.
     *
     * @throws Refusal NOT_FOUND
     */
    async getDefaultBusiness(organizationId: string): Promise<Business> {
      const [rows, locationRows, accountRows] = await db.batch(
        defaultBusinessQueries(organizationId),
      );
      if (!rows[0]) throw notFound("organization");
      return toBusiness(rows[0], locationRows, accountRows);
    },

    /**
     * Reads an organization's key and its default business in one round trip.
     *
     * @throws Refusal NOT_FOUND, also for another organization's key.
     */
    async getKey(
      organizationId: string,
      id: string,
    ): Promise<Readonly<{ key: ApiKey; business: Business }>> {
      const [rows, locationRows, accountRows, keys] = await db.batch([
        ...defaultBusinessQueries(organizationId),
        db
          .select()
          .from(apiKeys)
          .where(and(eq(apiKeys.organizationId, organizationId), eq(apiKeys.id, id))),
      ]);
      if (!rows[0]) throw notFound("organization");
      if (!keys[0]) throw notFound("key");
      return { key: toApiKey(keys[0]), business: toBusiness(rows[0], locationRows, accountRows) };
    },

    /**
     * Inserts the organization of a business. Does nothing when it exists or the business has no
     * organization.
     */
    insertIfMissing({ id, name, organizationId, createdAt }: Business): Write {
      const organizationRow = sql`select ${organizationId}, ${name}, ${id}, ${createdAt} where ${organizationId} is not null`;
      return db.insert(organizations).select(organizationRow).onConflictDoNothing();
    },

    /**
     * Makes the oldest business of an organization its default, for each organization of these
     * businesses whose default business no longer belongs to it.
     */
    assignDefaultBusinesses(members: readonly Pick<Business, "organizationId">[]): Write {
      const ids = members.flatMap(({ organizationId }) => organizationId ?? []);
      const oldest = sql`(select id from ${businesses} where organization_id = organizations.id
        order by id limit 1)`;
      return db
        .update(organizations)
        .set({ defaultBusinessId: oldest })
        .where(sql`${organizations.id} in (select value from json_each(${JSON.stringify(ids)}))
          and not exists (select 1 from ${businesses} as member
            where member.id = organizations.default_business_id
              and member.organization_id = organizations.id)`);
    },
  };
}
