import type { ObjectDatabase } from "../../../shared/database/index.ts";
import { conflict, day } from "../../../shared/kernel/index.ts";
import type { Outcome } from "./calls.ts";

/** A request with an Idempotency-Key. The fingerprint is a digest of its body. */
export type IdempotentRequest = Readonly<{ route: string; key: string; fingerprint: string }>;

/** With the index, deleting old rows does not read the whole table. */
export const storedResponseMigrations: readonly string[] = [
  `create table answers (
     route text not null,
     key text not null,
     fingerprint text not null,
     outcome text not null,
     created_at integer not null,
     primary key (route, key)
   );
   create index answers_by_age on answers (created_at);`,
];

/** How long a response is stored under its Idempotency-Key. */
export const storedResponseTtlMs = day;
/**
 * A limit because each response may contain a whole cart. A shopper needs fewer responses in a day.
 */
const maxStoredResponses = 500;

/** The stored responses to the requests of one session. */
export function storedResponseRepo({ sql, exist }: ObjectDatabase) {
  return {
    /** @throws Refusal CONFLICT when the key was used with another body. */
    find<T>({ route, key, fingerprint }: IdempotentRequest, now: number): Outcome<T> | null {
      if (!exist()) return null;
      const [row] = sql
        .exec<{ fingerprint: string; outcome: string }>(
          "select fingerprint, outcome from answers where route = ? and key = ? and created_at > ?",
          route,
          key,
          now - storedResponseTtlMs,
        )
        .toArray();
      if (!row) return null;
      if (row.fingerprint !== fingerprint) {
        throw conflict("This Idempotency-Key was used with another body; use a new key.");
      }
      return parseOutcome<T>(row.outcome);
    },

    /** When the last of the stored responses expires; 0 when there is none. */
    expireAt(): number {
      const [row] = sql
        .exec<{ at: number | null }>("select max(created_at) as at from answers")
        .toArray();
      return row?.at == null ? 0 : row.at + storedResponseTtlMs;
    },

    /** Stores a final response. Call this in the transaction that stores the change. */
    save<T>(
      { route, key, fingerprint }: IdempotentRequest,
      outcome: Outcome<T>,
      now: number,
    ): void {
      if (!isFinal(outcome)) return;
      sql.exec(
        `delete from answers where created_at <= max(?1, coalesce(
           (select created_at from answers order by created_at desc limit 1 offset ?2), ?1))`,
        now - storedResponseTtlMs,
        maxStoredResponses,
      );
      sql.exec(
        "insert or replace into answers (route, key, fingerprint, outcome, created_at) values (?, ?, ?, ?, ?)",
        route,
        key,
        fingerprint,
        JSON.stringify(outcome),
        now,
      );
    },
  };
}

/**
 * Whether a repeated request must get this response. After an outage or a conflict, a repeated
 * request runs again, because it may succeed.
 */
export const isFinal = (outcome: Outcome<unknown>): boolean =>
  outcome.ok || finalCodes.includes(outcome.refusal.code);

const finalCodes: readonly string[] = ["BUSINESS_RULE_VIOLATION", "NOT_FOUND"];

// Safe: only `save` writes the column, and each route has one response type.
const parseOutcome = <T>(json: string): Outcome<T> => JSON.parse(json) as Outcome<T>;

export type StoredResponseRepo = ReturnType<typeof storedResponseRepo>;
