import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { migrate } from "../../functions/runtime/objects/migrations.ts";
import { runtime } from "../../functions/runtime/runtime.ts";
import { sessionSchema } from "../../functions/storefront/objects/cart-session/session-storage.ts";
import { CheckoutRepo, type StoredCheckout } from "../../shared/checkout/index.ts";

/** Runs a test with the checkouts of a new session, and the statements that they run. */
const runWithCheckouts = (
  run: (checkouts: CheckoutRepo, storage: DurableObjectStorage, statements: string[]) => void,
) =>
  runInDurableObject(env.CART_SESSION.getByName(runtime.newId("ses")), (_, { storage }) => {
    migrate(storage, sessionSchema);
    const statements: string[] = [];
    const exec: SqlStorage["exec"] = (query, ...values) => {
      statements.push(query);
      return storage.sql.exec(query, ...values);
    };
    const { sql } = storage;
    run(new CheckoutRepo({ ...sql, exec } as SqlStorage), storage, statements); // safe: only exec is used
  });

const running = {
  key: "key",
  fingerprint: "",
  status: "running",
  business: { id: "biz_1" },
  checkout: { state: "planned" },
  startedAt: 1,
} as unknown as StoredCheckout; // safe: the repository stores a checkout as JSON

it("looks for an open checkout once while the session has none", () =>
  runWithCheckouts((checkouts, _, statements) => {
    for (let write = 0; write < 3; write += 1) expect(checkouts.findOpen()).toBeNull();
    checkouts.deleteClosed(runtime.now());
    expect(statements).toHaveLength(1);
    checkouts.save(running);
    expect(checkouts.findOpen()).toMatchObject({ key: "key", status: "running" });
  }));

it("finds a checkout that an earlier instance of the object stored", () =>
  runWithCheckouts((checkouts, { sql }) => {
    checkouts.save(running);
    expect(new CheckoutRepo(sql).findOpen()).toMatchObject({ key: "key" });
  }));

it("forgets what it knows of the table", () =>
  runWithCheckouts((checkouts, { sql }) => {
    checkouts.save(running);
    sql.exec("delete from checkouts");
    checkouts.clearCache();
    expect(checkouts.findOpen()).toBeNull();
    new CheckoutRepo(sql).save(running);
    checkouts.clearCache();
    expect(checkouts.findOpen()).toMatchObject({ key: "key" });
  }));
