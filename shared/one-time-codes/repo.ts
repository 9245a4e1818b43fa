import { and, gt, isNull, lt, type SQL, sql } from "drizzle-orm";
import { type Db, isUnfenced, type PurgeTarget, type Write } from "../database/index.ts";
import { codesPerContact, issueLimitWindowMs, maxWrongTries, resendAfterMs } from "./code.ts";
import type { CodeContext } from "./context.ts";
import { oneTimeCodes } from "./tables.ts";

const t = oneTimeCodes;

/** A new code; everything about it is stored as a digest. */
export type NewStoredCode = Readonly<{
  contactDigest: string;
  addressDigest: string;
  codeDigest: string;
  expiresAt: number;
}>;

/**
 * The codes of one audience. Each call is one round trip and one atomic decision in the database.
 */
export function codeRepo({ db, audience, codes, now }: CodeContext) {
  const ofContact = (contactDigest: string): SQL =>
    sql`${t.audience} = ${audience.id} and ${t.contactDigest} = ${contactDigest}`;

  /** SQL for the time at which the oldest of the last `limit` codes leaves the window. */
  const limitResetTimeSql = (condition: SQL, limit: number, at: number): SQL =>
    sql`(select ${t.issuedAt} + ${issueLimitWindowMs} from ${t} where ${condition}
      and ${t.issuedAt} > ${at - issueLimitWindowMs} order by ${t.id} desc limit 1 offset ${limit - 1})`;

  /** SQL for the time at which the next code may be issued; 0 for now. */
  function nextIssueTimeSql(
    { contactDigest, addressDigest }: NewStoredCode,
    at: number,
  ): SQL<number> {
    const contact = ofContact(contactDigest);
    const address = sql`${t.audience} = ${audience.id} and ${t.addressDigest} = ${addressDigest}`;
    const resend = sql`(select case when ${t.redeemedAt} is null then ${t.issuedAt} + ${resendAfterMs} end
      from ${t} where ${contact} order by ${t.id} desc limit 1)`;
    return sql<number>`max(coalesce(${resend}, 0), coalesce(${limitResetTimeSql(contact, codesPerContact, at)}, 0),
      coalesce(${limitResetTimeSql(address, codes.perHourPerAddress, at)}, 0))`;
  }

  return {
    /** Inserts the code when the limits allow it; otherwise returns when they will. */
    async issue(
      code: NewStoredCode,
    ): Promise<Readonly<{ isIssued: true; id: number } | { isIssued: false; freeAt: number }>> {
      const at = now();
      const free = nextIssueTimeSql(code, at);
      const { contactDigest, addressDigest, codeDigest, expiresAt } = code;
      const [[limits], [issued]] = await db.batch([
        db.select({ freeAt: free }).from(sql`(select 1)`),
        db
          .insert(t)
          .select(
            sql`select null, ${audience.id}, ${contactDigest}, ${addressDigest}, ${codeDigest}, 0, ${at}, ${expiresAt}, null
              where ${free} <= ${at}`,
          )
          .returning({ id: t.id }),
      ]);
      return issued
        ? { isIssued: true, id: issued.id }
        : { isIssued: false, freeAt: limits?.freeAt ?? at };
    },

    /** Deletes a code, unless it was redeemed. */
    async withdraw(id: number): Promise<void> {
      const condition = and(
        sql`${t.id} = ${id} and ${t.audience} = ${audience.id}`,
        isNull(t.redeemedAt),
      );
      await db.batch([db.delete(t).where(condition)]);
    },

    /**
     * Redeems the contact's current code or counts a wrong attempt, in one statement: of any number
     * of concurrent guesses at most five are wrong and one is right. It compares keyed digests, so
     * its duration reveals nothing about the code.
     */
    async redeem(contactDigest: string, codeDigest: string): Promise<boolean> {
      const at = now();
      const newest = sql`(select ${t.id} from ${t} where ${ofContact(contactDigest)} order by ${t.id} desc limit 1)`;
      const [[tried]] = await db.batch([
        db
          .update(t)
          .set({
            wrongTries: sql`${t.wrongTries} + (${t.codeDigest} <> ${codeDigest})`,
            redeemedAt: sql`case when ${t.codeDigest} = ${codeDigest} then ${at} end`,
          })
          .where(
            and(
              sql`${t.id} = ${newest}`,
              isNull(t.redeemedAt),
              gt(t.expiresAt, at),
              lt(t.wrongTries, maxWrongTries),
            ),
          )
          .returning({ redeemedAt: t.redeemedAt }),
      ]);
      return (tried?.redeemedAt ?? null) !== null;
    },
  };
}

const maxPurgedRows = 5_000;

/** Deletes a limited number of codes that no longer count towards a limit; cron repeats it. */
export const purgeCodes = (db: Db, now: number, { database }: PurgeTarget): Write =>
  db.delete(t).where(
    sql`rowid in (select rowid from ${t} where ${t.issuedAt} <= ${now - issueLimitWindowMs}
        and ${database === "shop" ? isUnfenced(t.audience) : sql`true`} limit ${maxPurgedRows})`,
  );
