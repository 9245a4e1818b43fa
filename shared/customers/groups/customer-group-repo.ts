import { and, desc, eq, getTableColumns, isNull, lt, type SQL, sql } from "drizzle-orm";
import {
  batchedRead,
  type Context,
  isRowOfBusiness,
  type PersonalData,
  updatedAtUnlessChanged,
  type Write,
} from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { customerGroupMembers, customerGroups, customers } from "../tables.ts";
import type { CustomerGroup, MemberChange } from "./customer-group.ts";

/** A group with the fields by which concurrent changes are detected. */
export type CustomerGroupRecord = Readonly<{
  group: CustomerGroup;
  updatedAt: number;
  archivedAt: number | null;
}>;

type GroupRow = typeof customerGroups.$inferSelect & Readonly<{ customerIds: string }>;

/** A page of groups. `isCut` says that it ends early, because its groups have many customers. */
type GroupPage = Readonly<{ groups: readonly CustomerGroupRecord[]; isCut: boolean }>;

/** A page ends after the group with which its groups have so many customers. */
const maxCustomersPerPage = 20_000;

/** Reads and writes the groups of customers of one business; each read is one round trip. */
export function customerGroupRepo({ db, business }: Pick<Context, "db" | "business">) {
  const ofBusiness = eq(customerGroups.businessId, business.id);
  const isLive = and(ofBusiness, isNull(customerGroups.archivedAt));

  const selectGroups = (condition: SQL | undefined) =>
    db
      .select({ ...getTableColumns(customerGroups), customerIds: memberIds })
      .from(customerGroups)
      .where(condition);

  /**
   * Adds customers to a group. Selects NULL for a customer that does not exist or was erased, which
   * fails on `customer_group_members.customer_id`.
   */
  const insertMembers = (groupId: string, ids: readonly string[], addedAt: number): Write[] =>
    ids.length === 0
      ? []
      : [
          db.insert(customerGroupMembers).select(
            sql`select ${groupId}, (select id from ${customers} where customers.id = added.value
                and +customers.business_id = ${business.id} and customers.erased_at is null),
              ${business.id}, ${addedAt}
            from json_each(${JSON.stringify(ids)}) as added`,
          ),
        ];

  const deleteMembers = (groupId: string, ids: readonly string[]): Write[] =>
    ids.length === 0
      ? []
      : [
          db
            .delete(customerGroupMembers)
            .where(
              and(
                eq(customerGroupMembers.groupId, groupId),
                sql`${customerGroupMembers.customerId} in (select value from json_each(${JSON.stringify(ids)}))`,
                sql`+${customerGroupMembers.businessId} = ${business.id}`,
              ),
            ),
        ];

  return {
    /** @throws Refusal NOT_FOUND. */
    async get(id: string): Promise<CustomerGroupRecord> {
      return requireRecord(await selectGroups(and(isLive, eq(customerGroups.id, id))));
    },

    async getEvenArchived(id: string): Promise<CustomerGroupRecord> {
      return requireRecord(await selectGroups(and(ofBusiness, eq(customerGroups.id, id))));
    },

    /**
     * Lists groups newest first. `after` is the last id of the previous page. The customers of groups
     * after the end of a cut page are not read.
     */
    async list({ limit, after }: { limit: number; after: string | null }): Promise<GroupPage> {
      const isAfter = after === null ? undefined : lt(customerGroups.id, after);
      const page = db
        .select({ id: customerGroups.id, customerCount: customerGroups.customerCount })
        .from(customerGroups)
        .where(and(isLive, isAfter))
        .orderBy(desc(customerGroups.id))
        .limit(limit);
      const rows = await db
        .select({
          ...getTableColumns(customerGroups),
          customerIds: sql<
            string | null
          >`iif(listed.earlier < ${maxCustomersPerPage}, ${memberIds}, null)`,
        })
        .from(
          sql`(select id, sum(customer_count) over (order by id desc) - customer_count as earlier
            from (${page})) as listed`,
        )
        .innerJoin(customerGroups, sql`${customerGroups.id} = listed.id`)
        .orderBy(desc(customerGroups.id));
      const groups = rows.flatMap(({ customerIds, ...row }) =>
        customerIds === null ? [] : [toRecord({ ...row, customerIds })],
      );
      return { groups, isCut: groups.length < rows.length };
    },

    insert: ({ customerIds, ...fields }: CustomerGroup): Write[] => [
      db.insert(customerGroups).values({
        ...fields,
        businessId: business.id,
        customerCount: customerIds.length,
        updatedAt: fields.createdAt,
      }),
      ...insertMembers(fields.id, customerIds, fields.createdAt),
    ],

    /**
     * Updates a group. Fails on `customer_groups.updated_at` when the row has changed since it was
     * read.
     */
    update: (
      before: CustomerGroupRecord,
      {
        group: { id, name, customerIds },
        members,
        updatedAt,
      }: Readonly<{ group: CustomerGroup; members: MemberChange; updatedAt: number }>,
    ): Write[] => [
      db
        .update(customerGroups)
        .set({
          name,
          customerCount: customerIds.length,
          updatedAt: updatedAtUnlessChanged(customerGroups, before, { updatedAt }),
        })
        .where(and(ofBusiness, eq(customerGroups.id, id))),
      ...deleteMembers(id, members.removed),
      ...insertMembers(id, members.added, updatedAt),
    ],

    archive: (before: CustomerGroupRecord, archivedAt: number): Write =>
      db
        .update(customerGroups)
        .set({
          archivedAt,
          updatedAt: updatedAtUnlessChanged(customerGroups, before, { updatedAt: archivedAt }),
        })
        .where(and(ofBusiness, eq(customerGroups.id, before.group.id))),
  };
}

/** The groups that a customer belongs to, archived ones left out. */
type Membership = Readonly<{ groupId: string; name: string; addedAt: number }>;

/** Which groups a customer is in. An erasure removes the customer from all of them. */
export const customerGroupPersonalData: PersonalData<Membership[]> = {
  read: ({ db, business }, { customerId }) =>
    batchedRead(
      [
        db
          .select({
            groupId: customerGroups.id,
            name: customerGroups.name,
            addedAt: customerGroupMembers.addedAt,
          })
          .from(customerGroupMembers)
          .innerJoin(customerGroups, eq(customerGroups.id, customerGroupMembers.groupId))
          .where(and(isMembershipOf(business, customerId), isNull(customerGroups.archivedAt)))
          .orderBy(customerGroups.id),
      ],
      ([memberships]) => memberships,
    ),
  erase: ({ db, business, now }, { customerId }) => [
    db
      .update(customerGroups)
      .set({
        customerCount: sql`${customerGroups.customerCount} - 1`,
        // A concurrent change of the group fails on it and reads the group again.
        updatedAt: sql`max(${now()}, ${customerGroups.updatedAt} + 1)`,
      })
      .where(
        sql`${customerGroups.id} in (select ${customerGroupMembers.groupId} from ${customerGroupMembers}
          where ${isMembershipOf(business, customerId)})`,
      ),
    db.delete(customerGroupMembers).where(isMembershipOf(business, customerId)),
  ],
};

const isMembershipOf = (business: Readonly<{ id: string }>, customerId: string) =>
  and(
    eq(customerGroupMembers.customerId, customerId),
    isRowOfBusiness(customerGroupMembers.businessId, business),
  );

/** A query of the `ids` that the business has no group of. An archived group counts as none. */
export const unknownCustomerGroupIds = (
  business: Readonly<{ id: string }>,
  ids: readonly string[],
): SQL => sql`select named.value as id from json_each(${JSON.stringify(ids)}) as named
  where not exists (select 1 from ${customerGroups} as known where known.id = named.value
    and +known.business_id = ${business.id} and known.archived_at is null)`;

/** A query of the ids of the groups that a customer belongs to. `customerId` is a query of the id. */
export const customerGroupIdsQuery = (business: Readonly<{ id: string }>, customerId: SQL): SQL =>
  sql`select joined.group_id as id from ${customerGroupMembers} as joined
    cross join ${customerGroups} as known on known.id = joined.group_id
    where joined.customer_id in (${customerId}) and +joined.business_id = ${business.id}
      and known.archived_at is null`;

/** SQL for the ids of a group's customers as a JSON array. */
const memberIds = sql<string>`(select json_group_array(customer_id) from (
  select member.customer_id from ${customerGroupMembers} as member
  where member.group_id = ${customerGroups}.id order by member.customer_id))`;

function requireRecord([row]: readonly GroupRow[]): CustomerGroupRecord {
  if (!row) throw notFound("customer group");
  return toRecord(row);
}

function toRecord({ id, name, customerIds, createdAt, updatedAt, archivedAt }: GroupRow) {
  // Safe: the query built this text with json_group_array from ids.
  const group = { id, name, customerIds: JSON.parse(customerIds) as string[], createdAt };
  return { group, updatedAt, archivedAt };
}
