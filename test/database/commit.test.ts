import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { type Context, commit } from "../../shared/database/index.ts";
import { type DomainEvent, exampleOf } from "../../shared/events/index.ts";
import { ruleBroken } from "../../shared/kernel/index.ts";
import { webhookSubscriptions } from "../../shared/webhooks/tables.ts";
import { contextFor, givenBusiness } from "../support/world.ts";

const placed = exampleOf("order.created", "ord_1");
const audit = [{ action: "order.created", entity: "ord_1" }];

async function givenContext() {
  let announced = 0;
  const ctx: Context = {
    ...contextFor(await givenBusiness()),
    announce: () => {
      announced += 1;
    },
  };
  return { ctx, announced: () => announced };
}

/** A row of a table with a CHECK constraint on its status. */
const subscription = ({ db, newId, business }: Context, status: "active" | "nonsense") =>
  db.insert(webhookSubscriptions).values({
    id: newId("whk"),
    businessId: business.id,
    url: "https://example.com",
    events: [],
    status: sql`${status}`,
    secretGeneration: 1,
    createdAt: 0,
  });

async function held({ db, business }: Context) {
  const count = (table: string) =>
    sql`(select count(*) from ${sql.raw(table)} where business_id = ${business.id})`;
  const [row] = await db.all<{ changes: number; events: number; audits: number }>(
    sql`select ${count("webhook_subscriptions")} as changes, ${count("events")} as events, ${count("audit_entries")} as audits`,
  );
  return row;
}

it("writes the change, its event and its audit entry together, and announces it", async () => {
  const { ctx, announced } = await givenContext();
  await commit(ctx, { writes: [subscription(ctx, "active")], events: [placed], audit });
  expect(await held(ctx)).toEqual({ changes: 1, events: 1, audits: 1 });
  expect(announced()).toBe(1);
});

it("leaves neither event nor audit entry of a change that a constraint refused", async () => {
  const { ctx, announced } = await givenContext();
  const change = {
    writes: [subscription(ctx, "active"), subscription(ctx, "nonsense")],
    events: [placed],
    audit,
  };
  await expect(commit(ctx, change)).rejects.toThrow();
  expect(await held(ctx)).toEqual({ changes: 0, events: 0, audits: 0 });
  expect(announced()).toBe(0);
});

it("leaves no change whose event is refused", async () => {
  const { ctx, announced } = await givenContext();
  const unknown = { ...placed, type: "order.lost" } as unknown as DomainEvent;
  await expect(
    commit(ctx, { writes: [subscription(ctx, "active")], events: [unknown] }),
  ).rejects.toThrow();
  expect(await held(ctx)).toEqual({ changes: 0, events: 0, audits: 0 });
  expect(announced()).toBe(0);
});

it("answers a held constraint with the refusal that the caller gave for it", async () => {
  const { ctx } = await givenContext();
  const refusals = { webhook_subscriptions_status: () => ruleBroken("A_RULE", "No.") };
  await expect(
    commit(ctx, { writes: [subscription(ctx, "nonsense")], refusals }),
  ).rejects.toMatchObject({
    code: "BUSINESS_RULE_VIOLATION",
    context: { rule: "A_RULE" },
  });
  const duplicate = { webhook_deliveries_status: () => ruleBroken("ANOTHER_RULE", "No.") };
  await expect(
    commit(ctx, { writes: [subscription(ctx, "nonsense")], refusals: duplicate }),
  ).rejects.not.toMatchObject({ code: "BUSINESS_RULE_VIOLATION" });
});

it("announces nothing when there is no event, and touches nothing when there is no change", async () => {
  const { ctx, announced } = await givenContext();
  await commit(ctx, { writes: [subscription(ctx, "active")] });
  expect(announced()).toBe(0);
  const before = ctx.meter.d1;
  expect(await commit(ctx, { writes: [] })).toEqual([]);
  expect(ctx.meter.d1).toBe(before);
});
