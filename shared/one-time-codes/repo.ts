import { and, gt, isNull, lt, type SQL, sql } from "drizzle-orm";
import { type Db, type PurgedPlace, unfenced, type Write } from "../database/index.ts";
import { codesPerContact, countedMs, maxWrongTries, resendAfterMs } from "./code.ts";
import type { CodeContext } from "./context.ts";
import { oneTimeCodes } from "./tables.ts";

const t = oneTimeCodes;

/** A code as it is stored: digests, and no word of what they are of. */
export type StoredCode = Readonly<{
  contactDigest: string;
  addressDigest: string;
  codeDigest: string;
  expiresAt: number;
}>;

/** The codes of one audience. Each call is one round trip and decides in the database, whatever runs beside them. */
export function codeRepo({ db, audience, codes, now }: CodeContext) {
  const ofContact = (contactDigest: string): SQL =>
    sql`${t.audience} = ${audience.id} and ${t.contactDigest} = ${contactDigest}`;

  /** When a code counted by `condition` leaves the hour in which `limit` of them are let through. */
  const roomAt = (condition: SQL, limit: number, at: number): SQL =>
    sql`(select ${t.issuedAt} + ${countedMs} from ${t} where ${condition}
      and ${t.issuedAt} > ${at - countedMs} order by ${t.id} desc limit 1 offset ${limit - 1})`;

  /** From when on a further code may be issued; 0 when nothing stands in its way. */
  function freeAt({ contactDigest, addressDigest }: StoredCode, at: number): SQL<number> {
    const contact = ofContact(contactDigest);
    const address = sql`${t.audience} = ${audience.id} and ${t.addressDigest} = ${addressDigest}`;
    const resend = sql`(select case when ${t.redeemedAt} is null then ${t.issuedAt} + ${resendAfterMs} end
      from ${t} where ${contact} order by ${t.id} desc limit 1)`;
    return sql<number>`max(coalesce(${resend}, 0), coalesce(${roomAt(contact, codesPerContact, at)}, 0),
      coalesce(${roomAt(address, codes.perHourPerAddress, at)}, 0))`;
  }

  return {
    /** Stores the code where the limits let it; otherwise tells from when on they do. */
    async issue(
      code: StoredCode,
    ): Promise<Readonly<{ isIssued: true; id: number } | { isIssued: false; freeAt: number }>> {
      const at = now();
      const free = freeAt(code, at);
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

    /** As if the code had never been issued, unless it reached its owner after all. */
    async withdraw(id: number): Promise<void> {
      const condition = and(
        sql`${t.id} = ${id} and ${t.audience} = ${audience.id}`,
        isNull(t.redeemedAt),
      );
      await db.batch([db.delete(t).where(condition)]);
    },

    /**
     * Spends the contact's live code, or one of its tries: a single statement, so that of all the
     * guesses at once five are wrong at most and one is right. Digests under a secret are compared,
     * so that the comparison's duration tells nothing of the code.
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

const purgedAtOnce = 5_000;

/** Deletes, some at a time, the codes that count no more. */
export const purgeCodes = (db: Db, now: number, { of }: PurgedPlace): Write =>
  db.delete(t).where(
    sql`rowid in (select rowid from ${t} where ${t.issuedAt} <= ${now - countedMs}
        and ${of === "shop" ? unfenced(t.audience) : sql`true`} limit ${purgedAtOnce})`,
  );
