import { and, asc, desc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { type Business, businessesQueries, toBusinesses } from "../businesses/index.ts";
import type { Db, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import { isUnneeded } from "./console-session-repo.ts";
import type { Member } from "./member.ts";
import type { Role } from "./role.ts";
import { members, users } from "./tables.ts";

type Page = Readonly<{ limit: number; before: string | null }>;

/** A member, and whether the business has another owner who has accepted. */
type MemberBesideOwner = Readonly<{ member: Member; hasOtherOwner: boolean }>;

/** The condition under which a change of a member may be stored. */
type OwnerCondition = Readonly<{ mustLeaveOwner: boolean }>;

/** The members of one business, in CORE. */
export function memberRepo(db: Db, businessId: string) {
  const isMember = (id: string) => and(eq(members.businessId, businessId), eq(members.id, id));

  /** SQL for the number of the business's other owners who have accepted. */
  const otherOwners = (id: string): SQL =>
    sql`(select count(*) from ${members} as other where other.business_id = ${businessId}
      and other.id <> ${id} and other.role = 'owner' and other.accepted_at is not null)`;

  /** The change is not stored when it would leave no owner, also beside a concurrent change. */
  const leavesOwner = (id: string, { mustLeaveOwner }: OwnerCondition) =>
    mustLeaveOwner ? sql`${otherOwners(id)} > 0` : undefined;

  return {
    /** Lists members newest first, invited ones included. */
    list: ({ limit, before }: Page): Promise<Member[]> =>
      db
        .select()
        .from(members)
        .where(
          and(
            eq(members.businessId, businessId),
            before === null ? undefined : sql`${members.id} < ${before}`,
          ),
        )
        .orderBy(desc(members.id))
        .limit(limit),

    /** @throws Refusal NOT_FOUND, also for another business's member. */
    async getBesideOwner(id: string): Promise<MemberBesideOwner> {
      const [row] = await db
        .select({ member: members, others: sql<number>`${otherOwners(id)}` })
        .from(members)
        .where(isMember(id));
      if (!row) throw notFound("member");
      return { member: row.member, hasOtherOwner: row.others > 0 };
    },

    async findByEmail(email: string): Promise<Member | null> {
      const [row] = await db
        .select()
        .from(members)
        .where(and(eq(members.businessId, businessId), eq(members.email, email)));
      return row ?? null;
    },

    /** Inserts the invitation unless the address has one, or is a member, already. */
    insertIfMissing: (member: Member): Write =>
      db.insert(members).values(member).onConflictDoNothing(),

    /** Lets an invitation end later. One that was accepted meanwhile stays as it is. */
    renewInvitation: (email: string, expiresAt: number): Write =>
      db
        .update(members)
        .set({ expiresAt })
        .where(
          and(
            eq(members.businessId, businessId),
            eq(members.email, email),
            isNull(members.userId),
            isNotNull(members.expiresAt),
          ),
        ),

    /** Updates no row when the member changed since it was read, or would leave no owner. */
    updateRole: ({ id, role }: Member, to: Role, condition: OwnerCondition) =>
      db
        .update(members)
        .set({ role: to })
        .where(and(isMember(id), eq(members.role, role), leavesOwner(id, condition)))
        .returning({ id: members.id }),

    delete: ({ id, role }: Member, condition: OwnerCondition) =>
      db
        .delete(members)
        .where(and(isMember(id), eq(members.role, role), leavesOwner(id, condition)))
        .returning({ id: members.id }),

    /** The e-mail addresses of members by their users' ids. Other ids are left out. */
    async findEmails(userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = await db
        .select({ userId: members.userId, email: members.email })
        .from(members)
        .where(
          and(
            eq(members.businessId, businessId),
            sql`${members.userId} in (select value from json_each(${JSON.stringify(userIds)}))`,
          ),
        );
      return new Map(
        rows.flatMap(({ userId, email }) => (userId === null ? [] : [[userId, email]])),
      );
    },

    /** The query for the membership of a user. */
    ofUserQuery: (userId: SQL) =>
      db
        .select()
        .from(members)
        .where(and(eq(members.businessId, businessId), sql`${members.userId} = ${userId}`)),
  };
}

/** A business that a user works for. */
export type Membership = Readonly<{ business: Business; role: Role }>;

/** The queries for the businesses of a user. `toMemberships` reads their results. */
export function membershipQueries(db: Db, user: string | SQL) {
  const userId = typeof user === "string" ? sql`${user}` : user;
  const isOfUser = sql`${members.userId} = ${userId}`;
  const ids = sql`(select ${members.businessId} from ${members} where ${isOfUser})`;
  return [
    db
      .select({ businessId: members.businessId, role: members.role })
      .from(members)
      .where(isOfUser)
      .orderBy(asc(members.id)),
    ...businessesQueries(db, ids),
  ] as const;
}

/** The memberships of a user, the longest one first. */
export function toMemberships(
  rows: readonly Readonly<{ businessId: string; role: Role }>[],
  ...results: Parameters<typeof toBusinesses>
): Membership[] {
  const byId = new Map(toBusinesses(...results).map((business) => [business.id, business]));
  return rows.flatMap(({ businessId, role }) => {
    const business = byId.get(businessId);
    return business ? [{ business, role }] : [];
  });
}

/** Makes the user a member wherever the address has an invitation that has not ended. */
export const acceptInvitations = (db: Db, email: string, now: number): Write =>
  db
    .update(members)
    .set({ userId: userIdOfEmail(email), acceptedAt: now, expiresAt: null })
    .where(
      and(
        eq(members.email, email),
        isNull(members.userId),
        sql`coalesce(${members.expiresAt} > ${now}, true)`,
      ),
    );

/** SQL for the id of the user with an e-mail address. */
export const userIdOfEmail = (email: string): SQL<string> =>
  sql`(select ${users.id} from ${users} where ${users.email} = ${email})`;

/** Deletes a user who works for no business any more, with the user's sessions and passkeys. */
export const deleteUnneededUser = (db: Db, userId: string): Write =>
  db.delete(users).where(sql`${users.id} = ${userId} and ${isUnneeded()}`);

/** Deletes the members of a business that is erased, and users who work for no other one. */
export const deleteMembers = (db: Db, businessId: string): [Write, Write] => [
  db.delete(users).where(
    sql`${users.id} in (select ${members.userId} from ${members}
      where ${members.businessId} = ${businessId}) and ${isUnneeded(businessId)}`,
  ),
  db.delete(members).where(eq(members.businessId, businessId)),
];
