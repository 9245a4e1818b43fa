import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { assertRowsFit, takeExceededLimits } from "./platform-limits.ts";

const twoMegabytes = "x".repeat(2_000_000);

describe("the simulated platform", () => {
  it.each<[string, () => Promise<unknown>]>([
    [
      "a parameter of D1",
      () => env.SHOP_1.prepare("select length(?)").bind(`${twoMegabytes}y`).run(),
    ],
    [
      "a parameter in a batch of a read session",
      () => {
        const session = env.SHOP_1.withSession("first-unconstrained");
        return session.batch([session.prepare("select ?").bind("ጤ".repeat(700_000))]);
      },
    ],
    [
      "a row of D1",
      () =>
        env.SHOP_1.prepare("insert into stored_words values (?, ?)").bind(twoMegabytes, "y").run(),
    ],
    [
      "a text that D1 computes",
      () => env.SHOP_1.prepare("select ? || 'y' as text").bind(twoMegabytes).run(),
    ],
    [
      "a function with 33 arguments",
      () => env.SHOP_1.prepare(`select max(${"1, ".repeat(32)}1) as most`).run(),
    ],
    [
      "an SQL parameter of an object",
      () =>
        runInDurableObject(env.CART_SESSION.getByName("limits"), (_, { storage }) =>
          storage.sql.exec("select ?", `${twoMegabytes}y`),
        ),
    ],
    [
      "a value of an object",
      () =>
        runInDurableObject(env.CART_SESSION.getByName("limits"), (_, { storage }) =>
          storage.kv.put("key", [twoMegabytes]),
        ),
    ],
    ["a message", () => env.MESSAGES.send({ businessId: "x".repeat(128_000), shard: null })],
    [
      "a batch of messages",
      () =>
        env.EVENTS.sendBatch(
          Array.from({ length: 101 }, () => ({ body: { businessId: "biz_1", shard: "SHOP_1" } })),
        ),
    ],
  ])("refuses %s beyond the limit of Cloudflare", async (_, exceed) => {
    await expect(exceed()).rejects.toThrow();
    expect(takeExceededLimits()).toHaveLength(1);
  });

  it("finds rows that grew beyond the limit", async () => {
    await env.SHOP_1.prepare(
      "insert into audit_entries (id, business_id, actor, action, entity, before, at) values ('aud_1', '', '', '', '', ?, 1)",
    )
      .bind(twoMegabytes.slice(1_000_000))
      .run();
    await env.SHOP_1.exec("update audit_entries set after = before where id = 'aud_1'");
    await expect(assertRowsFit()).rejects.toThrow("audit_entries");
    await env.SHOP_1.exec("delete from audit_entries where id = 'aud_1'");
  });

  it("accepts values and messages of exactly the limit", async () => {
    await env.SHOP_1.prepare("select length(?)").bind(twoMegabytes).run();
    expect(takeExceededLimits()).toEqual([]);
  });
});
