import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  type StoredResponseRepo,
  storedResponseMigrations,
  storedResponseRepo,
} from "../../functions/runtime/objects/stored-responses.ts";
import { runtime } from "../../functions/runtime/runtime.ts";
import { day } from "../../shared/kernel/index.ts";

const now = Date.parse("2030-05-01T12:00:00Z");
const call = (key: string) => ({ route: "POST /cart/items", key, fingerprint: "f" });
const answered = (value: number) => ({ ok: true, value }) as const;

const withAnswers = <T>(work: (answers: StoredResponseRepo, sql: SqlStorage) => T): Promise<T> =>
  runInDurableObject(
    env.CART_SESSION.getByName(runtime.newId("ses")),
    (_, { storage: { sql } }) => {
      for (const migration of storedResponseMigrations) sql.exec(migration);
      return work(storedResponseRepo({ sql, exist: () => true }), sql);
    },
  );

describe("storedResponseRepo", () => {
  it("forgets responses after 24 hours", () =>
    withAnswers((answers) => {
      answers.save(call("old"), answered(1), now);
      expect(answers.find(call("old"), now + day - 1)).toEqual(answered(1));
      expect(answers.find(call("old"), now + day)).toBeNull();
    }));

  it("stores at most 501 responses", () =>
    withAnswers((answers, sql) => {
      for (let count = 0; count < 600; count += 1)
        answers.save(call(`key-${count}`), answered(count), now + count);
      expect(sql.exec("select count(*) as kept from answers").one()).toEqual({ kept: 501 });
      expect(answers.find(call("key-599"), now + 600)).toEqual(answered(599));
      expect(answers.find(call("key-0"), now + 600)).toBeNull();
    }));

  it("finds responses by age with an index", () =>
    withAnswers((_, sql) => {
      const plan = sql
        .exec<{ detail: string }>("explain query plan delete from answers where created_at <= 1")
        .toArray();
      expect(plan.map(({ detail }) => detail).join()).toContain("answers_by_age");
    }));
});
