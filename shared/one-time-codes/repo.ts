import { and, isNull, type SQL, sql } from "drizzle-orm";
import { type Db, isUnfenced, type PurgeTarget, type Write } from "../database/index.ts";
import { codesPerContact, issueLimitWindowMs, maxWrongTries, resendAfterMs } from "./code.ts";
import type { CodeContext } from "./context.ts";
import { oneTimeCodes } from "./tables.ts";

/** A code to insert. Contact, IP address and code are stored only as digests. */
export type NewStoredCode = Readonly<{
  contactDigest: string;
  addressDigest: string;
  codeDigest: string;
  expiresAt: number;
}>;

/** The digests of a contact and of the code that a caller sent for it. */
export type CodeProof = Pick<NewStoredCode, "contactDigest" | "codeDigest">;

/** The codes of one audience. Each call is one atomic batch in one round trip. */
export function codeRepo({ db, audience, codes, now }: CodeContext) {
  /** SQL that finds a contact's current code if it can still be redeemed. */
  const isCurrent = (contactDigest: string, at: number): SQL =>
    sql`${oneTimeCodes.id} = (select newest.id from ${oneTimeCodes} as newest where newest.audience = ${audience.id}
      and newest.contact_digest = ${contactDigest} order by newest.id desc limit 1)
      and ${oneTimeCodes.redeemedAt} is null and ${oneTimeCodes.expiresAt} > ${at}
      and ${oneTimeCodes.wrongTries} < ${maxWrongTries}`;

  const ofContact = (contactDigest: string): SQL =>
    sql`${oneTimeCodes.audience} = ${audience.id} and ${oneTimeCodes.contactDigest} = ${contactDigest}`;

  /**
   * SQL for the time at which the limit is no longer reached: when the oldest of the last `limit`
   * codes leaves the window. Null while fewer codes are in the window.
   */
  const limitResetTimeSql = (condition: SQL, limit: number, at: number): SQL =>
    sql`(select ${oneTimeCodes.issuedAt} + ${issueLimitWindowMs} from ${oneTimeCodes} where ${condition}
      and ${oneTimeCodes.issuedAt} > ${at - issueLimitWindowMs} order by ${oneTimeCodes.id} desc limit 1 offset ${limit - 1})`;

  /** SQL for the earliest time at which the next code may be issued; 0 when no limit applies. */
  function nextIssueTimeSql(
    { contactDigest, addressDigest }: NewStoredCode,
    at: number,
  ): SQL<number> {
    const contact = ofContact(contactDigest);
    const address = sql`${oneTimeCodes.audience} = ${audience.id} and ${oneTimeCodes.addressDigest} = ${addressDigest}`;
    const resend = sql`(select case when ${oneTimeCodes.redeemedAt} is null then ${oneTimeCodes.issuedAt} + ${resendAfterMs} end
      from ${oneTimeCodes} where ${contact} order by ${oneTimeCodes.id} desc limit 1)`;
    return sql<number>`max(coalesce(${resend}, 0), coalesce(${limitResetTimeSql(contact, codesPerContact, at)}, 0),
      coalesce(${limitResetTimeSql(address, codes.perHourPerAddress, at)}, 0))`;
  }

  return {
    /**
     * Inserts the code if the limits allow it. Otherwise returns the time from which they allow it.
     */
    async issue(
      code: NewStoredCode,
    ): Promise<Readonly<{ isIssued: true; id: number } | { isIssued: false; freeAt: number }>> {
      const at = now();
      const free = nextIssueTimeSql(code, at);
      const { contactDigest, addressDigest, codeDigest, expiresAt } = code;
      const [[limits], [issued]] = await db.batch([
        db.select({ freeAt: free }).from(sql`(select 1)`),
        db
          .insert(oneTimeCodes)
          .select(
            sql`select null, ${audience.id}, ${contactDigest}, ${addressDigest}, ${codeDigest}, 0, ${at}, ${expiresAt}, null
              where ${free} <= ${at}`,
          )
          .returning({ id: oneTimeCodes.id }),
      ]);
      return issued
        ? { isIssued: true, id: issued.id }
        : { isIssued: false, freeAt: limits?.freeAt ?? at };
    },

    /** Deletes a code, unless it was redeemed. */
    async withdraw(id: number): Promise<void> {
      const condition = and(
        sql`${oneTimeCodes.id} = ${id} and ${oneTimeCodes.audience} = ${audience.id}`,
        isNull(oneTimeCodes.redeemedAt),
      );
      await db.batch([db.delete(oneTimeCodes).where(condition)]);
    },

    /**
     * Redeems the contact's current code, or counts a wrong attempt. A single statement does this,
     * so concurrent guesses cannot exceed five wrong attempts. Comparing digests instead of codes
     * keeps the duration from revealing the code.
     */
    async redeem(contactDigest: string, codeDigest: string): Promise<boolean> {
      const at = now();
      const [[tried]] = await db.batch([
        db
          .update(oneTimeCodes)
          .set({
            wrongTries: sql`${oneTimeCodes.wrongTries} + (${oneTimeCodes.codeDigest} <> ${codeDigest})`,
            redeemedAt: sql`case when ${oneTimeCodes.codeDigest} = ${codeDigest} then ${at} end`,
          })
          .where(isCurrent(contactDigest, at))
          .returning({ redeemedAt: oneTimeCodes.redeemedAt }),
      ]);
      return (tried?.redeemedAt ?? null) !== null;
    },

    /**
     * Redeems the current codes of several contacts if all of them are right, and otherwise counts a
     * wrong attempt for each wrong one.
     */
    async redeemAll(proofs: readonly CodeProof[]): Promise<boolean> {
      const at = now();
      const isRight = ({ contactDigest, codeDigest }: CodeProof): SQL =>
        sql`${isCurrent(contactDigest, at)} and ${oneTimeCodes.codeDigest} = ${codeDigest}`;
      const areAllRight = sql.join(
        proofs.map((proof) => sql`exists (select 1 from ${oneTimeCodes} where ${isRight(proof)})`),
        sql` and `,
      );
      const [redeemed] = await db.batch([
        db
          .update(oneTimeCodes)
          .set({ redeemedAt: at })
          .where(and(sql`(${sql.join(proofs.map(isRight), sql` or `)})`, areAllRight))
          .returning({ id: oneTimeCodes.id }),
        ...proofs.map(({ contactDigest, codeDigest }) =>
          db
            .update(oneTimeCodes)
            .set({ wrongTries: sql`${oneTimeCodes.wrongTries} + 1` })
            .where(
              sql`${isCurrent(contactDigest, at)} and ${oneTimeCodes.codeDigest} <> ${codeDigest}`,
            ),
        ),
      ]);
      return redeemed.length === proofs.length;
    },
  };
}

const maxPurgedRows = 5_000;

/** Deletes one batch of codes that are too old to count towards a limit. Cron repeats the call. */
export const purgeCodes = (db: Db, now: number, { database }: PurgeTarget): Write =>
  db.delete(oneTimeCodes).where(
    sql`rowid in (select rowid from ${oneTimeCodes} where ${oneTimeCodes.issuedAt} <= ${now - issueLimitWindowMs}
        and ${database === "shop" ? isUnfenced(oneTimeCodes.audience) : sql`true`} limit ${maxPurgedRows})`,
  );
