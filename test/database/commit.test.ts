import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { type Context, commit } from "../../shared/database/index.ts";
import { type DomainEvent, exampleEvent } from "../../shared/events/index.ts";
import { ruleViolation } from "../../shared/kernel/index.ts";
import { webhookSubscriptions } from "../../shared/webhooks/tables.ts";
import { contextFor, createBusiness } from "../support/world.ts";

const orderCreated = exampleEvent("order.created", "ord_1");
const audit = [{ action: "order.created", entity: "ord_1" }];

async function createContext() {
  let wakeups = 0;
  const ctx: Context = {
    ...contextFor(await createBusiness()),
    wakeOutboxWorker: () => {
      wakeups += 1;
    },
  };
  return { ctx, wakeups: () => wakeups };
}

/** Inserts a row whose status must not be null. */
const insertSubscription = ({ db, newId, business }: Context, status: "active" | null) =>
  db.insert(webhookSubscriptions).values({
    id: newId("whk"),
    businessId: business.id,
    url: "https://example.com",
    events: [],
    status: sql`${status}`,
    secretGeneration: 1,
    createdAt: 0,
  });

async function countRows({ db, business }: Context) {
  const count = (table: string) =>
    sql`(select count(*) from ${sql.raw(table)} where business_id = ${business.id})`;
  const [row] = await db.all<{ changes: number; events: number; audits: number }>(
    sql`select ${count("webhook_subscriptions")} as changes, ${count("events")} as events, ${count("audit_entries")} as audits`,
  );
  return row;
}

describe("commit", () => {
  it("writes the change, its event and its audit entry together and wakes the outbox worker", async () => {
    const { ctx, wakeups } = await createContext();
    const writes = [insertSubscription(ctx, "active")];
    await commit(ctx, { writes, events: [orderCreated], audit });
    expect(await countRows(ctx)).toEqual({ changes: 1, events: 1, audits: 1 });
    expect(wakeups()).toBe(1);
  });

  it("writes no event and no audit entry when a constraint fails", async () => {
    const { ctx, wakeups } = await createContext();
    const change = {
      writes: [insertSubscription(ctx, "active"), insertSubscription(ctx, null)],
      events: [orderCreated],
      audit,
    };
    await expect(commit(ctx, change)).rejects.toThrow();
    expect(await countRows(ctx)).toEqual({ changes: 0, events: 0, audits: 0 });
    expect(wakeups()).toBe(0);
  });

  it("writes no change when its event is invalid", async () => {
    const { ctx, wakeups } = await createContext();
    const unknown = { ...orderCreated, type: null } as unknown as DomainEvent;
    await expect(
      commit(ctx, { writes: [insertSubscription(ctx, "active")], events: [unknown] }),
    ).rejects.toThrow();
    expect(await countRows(ctx)).toEqual({ changes: 0, events: 0, audits: 0 });
    expect(wakeups()).toBe(0);
  });

  it("throws the caller's refusal for the constraint that failed", async () => {
    const { ctx } = await createContext();
    const refusals = { "webhook_subscriptions.status": () => ruleViolation("A_RULE", "No.") };
    await expect(
      commit(ctx, { writes: [insertSubscription(ctx, null)], refusals }),
    ).rejects.toMatchObject({
      code: "BUSINESS_RULE_VIOLATION",
      context: { rule: "A_RULE" },
    });
    const others = { "products.slug": () => ruleViolation("ANOTHER_RULE", "No.") };
    await expect(
      commit(ctx, { writes: [insertSubscription(ctx, null)], refusals: others }),
    ).rejects.not.toMatchObject({ code: "BUSINESS_RULE_VIOLATION" });
  });

  it("wakes nobody without an event and makes no round trip without a change", async () => {
    const { ctx, wakeups } = await createContext();
    await commit(ctx, { writes: [insertSubscription(ctx, "active")] });
    expect(wakeups()).toBe(0);
    const before = ctx.meter.d1;
    expect(await commit(ctx, { writes: [] })).toEqual([]);
    expect(ctx.meter.d1).toBe(before);
  });
});
