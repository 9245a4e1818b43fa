import type { OwnTables } from "../../../shared/database/index.ts";
import { conflict, day } from "../../../shared/kernel/index.ts";
import type { Outcome } from "./reply.ts";

/** An Idempotency-Key as it came: the fingerprint is a digest of the request's body. */
export type IdempotentCall = Readonly<{ route: string; key: string; fingerprint: string }>;

export const rememberedMigrations: readonly string[] = [
  `create table answers (
     route text not null,
     key text not null,
     fingerprint text not null,
     outcome text not null,
     created_at integer not null,
     primary key (route, key)
   );`,
];

/** Without it, forgetting the old ones would read through all that is kept. */
export const answersByAge: readonly string[] = [
  "create index answers_by_age on answers (created_at);",
];

const keptMs = day;
/** More than any shopper needs within a day: each may hold a whole cart. */
const mostKept = 500;

/** Answers of a session's own requests, kept for 24 hours (completions.md 6). */
export function answerRepo({ sql, exist }: OwnTables) {
  return {
    /** @throws Refusal CONFLICT when the key came with another body before. */
    find<T>({ route, key, fingerprint }: IdempotentCall, now: number): Outcome<T> | null {
      if (!exist()) return null;
      const [row] = sql
        .exec<{ fingerprint: string; outcome: string }>(
          "select fingerprint, outcome from answers where route = ? and key = ? and created_at > ?",
          route,
          key,
          now - keptMs,
        )
        .toArray();
      if (!row) return null;
      if (row.fingerprint !== fingerprint) {
        throw conflict("This Idempotency-Key came with another body before.");
      }
      return storedOutcome<T>(row.outcome);
    },

    /** Keeps an answer, unless the same request may yet end otherwise; inside the transaction of its change. */
    save<T>({ route, key, fingerprint }: IdempotentCall, outcome: Outcome<T>, now: number): void {
      if (!isFinal(outcome)) return;
      sql.exec(
        `delete from answers where created_at <= max(?1, coalesce(
           (select created_at from answers order by created_at desc limit 1 offset ?2), ?1))`,
        now - keptMs,
        mostKept,
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

/** A success, a rule's refusal, or what is not there: an outage or a conflict is no answer to keep. */
export const isFinal = (outcome: Outcome<unknown>): boolean =>
  outcome.ok || finalCodes.includes(outcome.refusal.code);

const finalCodes: readonly string[] = ["BUSINESS_RULE_VIOLATION", "NOT_FOUND"];

// Safe: the column holds nothing but what `save` put there, under a route that has one type.
const storedOutcome = <T>(json: string): Outcome<T> => JSON.parse(json) as Outcome<T>;

export type AnswerRepo = ReturnType<typeof answerRepo>;
