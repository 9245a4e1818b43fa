import { and, type SQL, sql } from "drizzle-orm";
import {
  type Db,
  type DueRows,
  isUnfenced,
  type PurgeTarget,
  type Write,
} from "../database/index.ts";
import {
  codesPerContact,
  codesPerNetwork,
  codeTtlMs,
  issueLimitWindowMs,
  knownNetworkTtlMs,
  maxKnownNetworks,
  maxWrongTries,
  maxWrongTriesElsewhere,
  resendAfterMs,
  reservedCodesPerContact,
} from "./code.ts";
import type { CodeContext, CodeStore } from "./context.ts";
import { oneTimeCodes } from "./tables.ts";

/** A code to insert. Contact, IP address and code are stored only as digests. */
export type NewStoredCode = Readonly<{
  contactDigest: string;
  addressDigest: string;
  codeDigest: string;
  expiresAt: number;
}>;

/** Returns the write of a message, on the condition that its code is stored in the same batch. */
export type MessageWriter = (isIssued: SQL) => Write;

/** The digests of a contact and of the code that a caller sent for it. */
export type CodeProof = Pick<NewStoredCode, "contactDigest" | "codeDigest">;

/** The codes of one audience. Each call is one atomic batch in one round trip. */
export function codeRepo({ db, audience, codes, now }: CodeContext) {
  const ofContact = (contactDigest: string): SQL =>
    sql`${oneTimeCodes.audience} = ${audience.id} and ${oneTimeCodes.contactDigest} = ${contactDigest}`;

  /**
   * SQL for the time at which the limit is no longer reached: when the oldest of the last `limit`
   * codes leaves the window. 0 while fewer codes are in the window.
   */
  const limitResetTimeSql = (condition: SQL, limit: number, at: number): SQL =>
    sql`coalesce((select ${oneTimeCodes.issuedAt} + ${issueLimitWindowMs} from ${oneTimeCodes} where ${condition}
      and ${oneTimeCodes.issuedAt} > ${at - issueLimitWindowMs} order by ${oneTimeCodes.issuedAt} desc, ${oneTimeCodes.id} desc limit 1 offset ${limit - 1}), 0)`;

  /** SQL that is true for one of the networks from which the contact last logged in. */
  const isKnownNetwork = (contactDigest: string, addressDigest: string, at: number): SQL =>
    sql`exists (select 1 from ${oneTimeCodes} as login where login.audience = ${audience.id}
      and login.contact_digest = ${contactDigest} and login.redeemed_address_digest = ${addressDigest}
      and login.redeemed_at > ${at - knownNetworkTtlMs})`;

  /** SQL for the time at which the wait after the latest of some codes ends; 0 without one. */
  const resendTimeSql = (condition: SQL, at: number): SQL =>
    sql`coalesce((select case when ${oneTimeCodes.redeemedAt} is null then ${oneTimeCodes.issuedAt} + ${resendAfterMs} end
      from ${oneTimeCodes} where ${condition} and ${oneTimeCodes.issuedAt} > ${at - resendAfterMs}
      order by ${oneTimeCodes.issuedAt} desc, ${oneTimeCodes.id} desc limit 1), 0)`;

  /** SQL for the earliest time of the contact's next code that every network can request. */
  const nextSharedTimeSql = ({ contactDigest }: NewStoredCode, at: number): SQL<number> => {
    const shared = sql`${ofContact(contactDigest)} and not ${oneTimeCodes.isReserved}`;
    return sql`max(${resendTimeSql(shared, at)}, ${limitResetTimeSql(shared, codesPerContact, at)})`;
  };

  /**
   * SQL for the earliest time at which the network may request the next code; 0 when no limit
   * applies. A known network has a reserve, because anybody may use up the shared codes.
   */
  function nextIssueTimeSql(code: NewStoredCode, at: number): SQL<number> {
    const { contactDigest, addressDigest } = code;
    const address = sql`${oneTimeCodes.audience} = ${audience.id} and ${oneTimeCodes.addressDigest} = ${addressDigest}`;
    const ofNetwork = sql`${ofContact(contactDigest)} and ${oneTimeCodes.addressDigest} = ${addressDigest}`;
    const reserved = sql`${ofContact(contactDigest)} and ${oneTimeCodes.isReserved}`;
    const shared = nextSharedTimeSql(code, at);
    return sql<number>`max(${limitResetTimeSql(address, codes.perHourPerAddress, at)},
      ${limitResetTimeSql(ofNetwork, codesPerNetwork, at)}, ${resendTimeSql(ofNetwork, at)},
      case when ${isKnownNetwork(contactDigest, addressDigest, at)}
        then min(${shared}, ${limitResetTimeSql(reserved, reservedCodesPerContact, at)})
        else ${shared} end)`;
  }

  /**
   * SQL that finds the codes of a contact that the network can redeem: the newest of each network.
   * Other networks have two of a code's tries, so that they cannot spend them all.
   */
  const isRedeemable = (contactDigest: string, addressDigest: string, at: number): SQL =>
    sql`${ofContact(contactDigest)} and ${oneTimeCodes.issuedAt} > ${at - codeTtlMs}
      and ${oneTimeCodes.redeemedAt} is null and ${oneTimeCodes.expiresAt} > ${at}
      and not exists (select 1 from ${oneTimeCodes} as newer where newer.audience = ${audience.id}
        and newer.contact_digest = ${contactDigest} and newer.issued_at > ${at - codeTtlMs}
        and newer.address_digest = one_time_codes.address_digest and newer.id > one_time_codes.id)
      and ${oneTimeCodes.wrongTries} < ${maxWrongTries}
      and (${isOwnNetwork(contactDigest, addressDigest, at)}
        or (not ${oneTimeCodes.isReserved} and ${oneTimeCodes.wrongTriesElsewhere} < ${maxWrongTriesElsewhere}))`;

  /** SQL that is true for a code that the network requested, and for all when it is a known one. */
  const isOwnNetwork = (contactDigest: string, addressDigest: string, at: number): SQL =>
    sql`(${oneTimeCodes.addressDigest} = ${addressDigest} or ${isKnownNetwork(contactDigest, addressDigest, at)})`;

  /** SQL that finds a code that the network can redeem and that has the digest of the proof. */
  const isRight = (proof: CodeProof, addressDigest: string, at: number): SQL =>
    sql`(${isRedeemable(proof.contactDigest, addressDigest, at)} and ${oneTimeCodes.codeDigest} = ${proof.codeDigest})`;

  /** Redeems the codes that match if each of the proofs has one. */
  function redeemMatching(proofs: readonly CodeProof[], addressDigest: string, at: number) {
    const areRight = proofs.map((proof) => isRight(proof, addressDigest, at));
    return db
      .update(oneTimeCodes)
      .set({ redeemedAt: at, redeemedAddressDigest: addressDigest })
      .where(
        and(
          sql`(${sql.join(areRight, sql` or `)})`,
          ...areRight.map((right) => sql`exists (select 1 from ${oneTimeCodes} where ${right})`),
        ),
      )
      .returning({ contactDigest: oneTimeCodes.contactDigest });
  }

  /** Counts a wrong try on each code that the network could have redeemed, if none matches. */
  function countWrongTry(proof: CodeProof, addressDigest: string, at: number): Write {
    const { contactDigest, codeDigest } = proof;
    const isRedeemed = sql`(${ofContact(contactDigest)} and ${oneTimeCodes.codeDigest} = ${codeDigest}
      and ${oneTimeCodes.redeemedAddressDigest} = ${addressDigest} and ${oneTimeCodes.redeemedAt} = ${at})`;
    return db
      .update(oneTimeCodes)
      .set({
        wrongTries: sql`${oneTimeCodes.wrongTries} + 1`,
        wrongTriesElsewhere: sql`${oneTimeCodes.wrongTriesElsewhere} + (not ${isOwnNetwork(contactDigest, addressDigest, at)})`,
      })
      .where(
        sql`${isRedeemable(contactDigest, addressDigest, at)} and not exists (select 1 from ${oneTimeCodes}
          where ${isRedeemed} or ${isRight(proof, addressDigest, at)})`,
      );
  }

  /** Keeps the latest login of each of the contact's latest networks, which makes them known. */
  const forgetEarlierNetworks = ({ contactDigest }: CodeProof): Write =>
    db
      .update(oneTimeCodes)
      .set({ redeemedAddressDigest: null })
      .where(
        sql`${ofContact(contactDigest)} and ${oneTimeCodes.redeemedAddressDigest} is not null
          and ${oneTimeCodes.id} not in (select id from (
            select id, max(redeemed_at) as last_login from ${oneTimeCodes} where ${ofContact(contactDigest)}
            and redeemed_address_digest is not null group by redeemed_address_digest
            order by last_login desc, id desc limit ${maxKnownNetworks}))`,
      );

  /** SQL that is true once the code is stored. */
  const isStored = ({ contactDigest, codeDigest, addressDigest }: NewStoredCode, at: number): SQL =>
    sql`exists (select 1 from ${oneTimeCodes} where ${ofContact(contactDigest)}
      and ${oneTimeCodes.issuedAt} = ${at} and ${oneTimeCodes.addressDigest} = ${addressDigest}
      and ${oneTimeCodes.codeDigest} = ${codeDigest})`;

  return {
    /**
     * Inserts the code and its message if the limits allow it. Otherwise returns the time from which
     * they allow it.
     */
    async issue(
      code: NewStoredCode,
      writeMessage: MessageWriter | null,
    ): Promise<Readonly<{ isIssued: true } | { isIssued: false; freeAt: number }>> {
      const at = now();
      const free = nextIssueTimeSql(code, at);
      const { contactDigest, addressDigest, codeDigest, expiresAt } = code;
      const [[limits], [issued]] = await db.batch([
        db.select({ freeAt: free }).from(sql`(select 1)`),
        db
          .insert(oneTimeCodes)
          .select(
            sql`select null, ${audience.id}, ${contactDigest}, ${addressDigest}, ${codeDigest}, 0, ${at}, ${expiresAt}, null, 0, null, ${nextSharedTimeSql(code, at)} > ${at}
              where ${free} <= ${at}`,
          )
          .returning({ id: oneTimeCodes.id }),
        ...(writeMessage === null ? [] : [writeMessage(isStored(code, at))]),
      ]);
      return issued ? { isIssued: true } : { isIssued: false, freeAt: limits?.freeAt ?? at };
    },

    /**
     * Redeems codes of several contacts if all of them are right, and otherwise counts a wrong
     * attempt for each wrong one. The batch is atomic, so concurrent guesses cannot exceed the
     * attempts. Comparing digests instead of codes keeps the duration from revealing the code.
     */
    async redeemAll(proofs: readonly CodeProof[], addressDigest: string): Promise<boolean> {
      const at = now();
      const [redeemed] = await db.batch([
        redeemMatching(proofs, addressDigest, at),
        ...proofs.map((proof) => countWrongTry(proof, addressDigest, at)),
        ...proofs.map(forgetEarlierNetworks),
      ]);
      const contacts = new Set(redeemed.map(({ contactDigest }) => contactDigest));
      return contacts.size === proofs.length;
    },
  };
}

/** Clears the networks that are known to a contact. The purge deletes the rows afterwards. */
export const forgetNetworks = (
  { db, audience }: Pick<CodeStore, "db" | "audience">,
  contactDigest: string,
): Write =>
  db
    .update(oneTimeCodes)
    .set({ redeemedAddressDigest: null })
    .where(
      sql`${oneTimeCodes.audience} = ${audience.id} and ${oneTimeCodes.redeemedAddressDigest} is not null
        and ${oneTimeCodes.contactDigest} = ${contactDigest}`,
    );

const maxPurgedRows = 5_000;

/** The codes that `purgeCodes` deletes. */
export function oldCodes({ database }: PurgeTarget): readonly DueRows[] {
  const businessId = database === "shop" ? oneTimeCodes.audience : null;
  return [
    {
      table: oneTimeCodes,
      since: oneTimeCodes.issuedAt,
      afterMs: issueLimitWindowMs,
      condition: sql`redeemed_address_digest is null`,
      businessId,
    },
    {
      table: oneTimeCodes,
      since: oneTimeCodes.redeemedAt,
      afterMs: knownNetworkTtlMs,
      condition: sql`redeemed_address_digest is not null`,
      businessId,
    },
  ];
}

/**
 * Deletes one batch of codes that are too old to count towards a limit, and of those that made a
 * network known for 90 days. Cron repeats the call.
 */
export function purgeCodes(db: Db, now: number, { database }: PurgeTarget): Write {
  const outdated = (condition: SQL) => sql`select rowid from ${oneTimeCodes} where ${condition}
    and ${database === "shop" ? isUnfenced(oneTimeCodes.audience) : sql`true`}`;
  const uncounted = sql`${oneTimeCodes.redeemedAddressDigest} is null and ${oneTimeCodes.issuedAt} <= ${now - issueLimitWindowMs}`;
  const forgotten = sql`${oneTimeCodes.redeemedAddressDigest} is not null and ${oneTimeCodes.redeemedAt} <= ${now - knownNetworkTtlMs}`;
  return db
    .delete(oneTimeCodes)
    .where(
      sql`rowid in (${outdated(uncounted)} union all ${outdated(forgotten)} limit ${maxPurgedRows})`,
    );
}
