import { and, asc, desc, eq, gt, isNotNull, isNull, ne, sql } from "drizzle-orm";
import type { Db, DueRows, Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import type { Business } from "../business.ts";
import { businessesQueries, toBusinesses } from "../repo.ts";
import { businessDomains } from "../tables.ts";
import { type Domain, dnsChecks, type HostOwner, maxDomains } from "./domain.ts";

const isVerified = isNotNull(businessDomains.verifiedAt);

/** The domains of one business, in CORE. */
export function domainRepo(db: Db, businessId: string) {
  const ofBusiness = eq(businessDomains.businessId, businessId);

  return {
    /** Lists domains, oldest first. `after` is the last id of the previous page. */
    async list({ limit, after }: { limit: number; after: string | null }): Promise<Domain[]> {
      const rows = await db
        .select()
        .from(businessDomains)
        .where(and(ofBusiness, after === null ? undefined : gt(businessDomains.id, after)))
        .orderBy(asc(businessDomains.id))
        .limit(limit);
      return rows.map(toDomain);
    },

    async findByHostname(hostname: string): Promise<Domain | null> {
      const [row] = await db
        .select()
        .from(businessDomains)
        .where(and(ofBusiness, eq(businessDomains.hostname, hostname)));
      return row ? toDomain(row) : null;
    },

    /** @throws Refusal NOT_FOUND, also for another business's domain. */
    async get(id: string): Promise<Domain> {
      const [row] = await db
        .select()
        .from(businessDomains)
        .where(and(ofBusiness, eq(businessDomains.id, id)));
      if (!row) throw notFound("domain");
      return toDomain(row);
    },

    /** Inserts a pending domain, unless the business has the hostname already or too many. */
    insertIfMissing: ({ id, hostname, createdAt }: Domain): Write =>
      db
        .insert(businessDomains)
        .select(
          sql`select ${id}, ${businessId}, ${hostname}, null, ${createdAt}, ${createdAt + dnsChecks.oftenMs}
            where (select count(*) from ${businessDomains} where ${ofBusiness}) < ${maxDomains}`,
        )
        .onConflictDoNothing(),

    delete: (id: string): Write =>
      db
        .delete(businessDomains)
        .where(and(ofBusiness, eq(businessDomains.id, id)))
        .returning({ id: businessDomains.id }),
  };
}

/** The pending domains that `hostRepo.claimDue` claims. */
export const dueDomainChecks: DueRows = {
  table: businessDomains,
  since: businessDomains.checkDueAt,
  businessId: null,
};

/** Domains of all businesses, in CORE. */
export function hostRepo(db: Db) {
  return {
    /** What a hostname leads to, in one round trip. */
    async findOwner(hostname: string): Promise<HostOwner> {
      const hasHostname = eq(businessDomains.hostname, hostname);
      const verified = sql`(select business_id from ${businessDomains}
        where ${hasHostname} and ${isVerified})`;
      const [named, ...found] = await db.batch([
        db.select({ id: businessDomains.id }).from(businessDomains).where(hasHostname).limit(1),
        ...businessesQueries(db, verified),
      ]);
      const [business] = toBusinesses(...found);
      if (business) return { type: "verified", business };
      return { type: named.length > 0 ? "pending" : "unknown" };
    },

    /** The domain that the hostname leads to now; null for none. */
    async findVerified(hostname: string): Promise<Domain | null> {
      const [row] = await db
        .select()
        .from(businessDomains)
        .where(and(eq(businessDomains.hostname, hostname), isVerified));
      return row ? toDomain(row) : null;
    },

    /**
     * Lets the hostname lead to the domain's business, and no longer to that of `holder`. A unique
     * index fails the batch when another business got it meanwhile.
     */
    async verify(domain: Domain, holder: Domain | null, now: number): Promise<void> {
      await db.batch([
        db
          .update(businessDomains)
          .set({ verifiedAt: null })
          .where(
            and(
              eq(businessDomains.id, holder?.id ?? ""),
              ne(businessDomains.businessId, domain.businessId),
            ),
          ),
        db
          .update(businessDomains)
          .set({ verifiedAt: now, checkDueAt: null })
          .where(and(eq(businessDomains.id, domain.id), isNull(businessDomains.verifiedAt))),
      ]);
    },

    /**
     * Claims pending domains whose DNS records are due, and sets when they are due again. After a
     * week they are not: only a request checks them then.
     */
    async claimDue(now: number, limit: number): Promise<Domain[]> {
      const ageMs = sql`${now} - ${businessDomains.createdAt}`;
      const { oftenMs, oftenForMs, seldomMs, forMs } = dnsChecks;
      const rows = await db
        .update(businessDomains)
        .set({
          checkDueAt: sql`case when ${ageMs} < ${oftenForMs} then ${now + oftenMs}
            when ${ageMs} < ${forMs} then ${now + seldomMs} end`,
        })
        .where(
          sql`${businessDomains.id} in (select id from ${businessDomains}
            where check_due_at <= ${now} order by check_due_at limit ${limit})`,
        )
        .returning();
      return rows.map(toDomain);
    },
  };
}

/** A business, and the hostname at which its shop is shown; null for one without a verified domain. */
export type BusinessWithHostname = Readonly<{ business: Business; hostname: string | null }>;

/**
 * Reads the businesses with these ids in one round trip, by id; unknown ids are left out. Of several
 * verified domains the one that was added first counts.
 */
export async function findWithHostnames(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BusinessWithHostname>> {
  const requestedIds = sql`(select value from json_each(${JSON.stringify(ids)}))`;
  const [domains, ...found] = await db.batch([
    db
      .select({ businessId: businessDomains.businessId, hostname: businessDomains.hostname })
      .from(businessDomains)
      .where(and(sql`${businessDomains.businessId} in ${requestedIds}`, isVerified))
      .orderBy(desc(businessDomains.id)),
    ...businessesQueries(db, requestedIds),
  ]);
  const hostnames = new Map(domains.map(({ businessId, hostname }) => [businessId, hostname]));
  return new Map(
    toBusinesses(...found).map((business) => [
      business.id,
      { business, hostname: hostnames.get(business.id) ?? null },
    ]),
  );
}

export const deleteDomains = (db: Db, businessId: string): Write =>
  db.delete(businessDomains).where(eq(businessDomains.businessId, businessId));

const toDomain = ({ checkDueAt: _, ...row }: typeof businessDomains.$inferSelect): Domain => row;
