import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { day, minute, Refusal, second } from "../../shared/kernel/index.ts";
import {
  type CodeToSend,
  issueCode,
  purgeCodes,
  redeemCode,
} from "../../shared/one-time-codes/index.ts";
import {
  createCodeFixture,
  email,
  network,
  outcomeOf,
  phone,
  start,
  withoutMessage,
} from "./create-code.ts";

const phoneNumber = (index: number) => ({
  type: "phone" as const,
  value: `+2332412340${10 + index}`,
});

const refusalOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error: unknown) => (error instanceof Refusal ? error.toData() : error),
  );

const rowsOf = async (audience: string) =>
  (
    await env.SHOP_1.prepare("select * from one_time_codes where audience = ? order by id")
      .bind(audience)
      .all()
  ).results;

/** A database whose every answer is lost. */
function silent(database: D1Database): Pick<D1Database, "prepare" | "batch"> {
  const lost = () => Promise.reject(new Error("D1_ERROR: Network connection lost."));
  const deaf = (statement: D1PreparedStatement): D1PreparedStatement =>
    Object.assign(Object.create(statement), {
      bind: (...values: unknown[]) => deaf(statement.bind(...values)),
      raw: lost,
      all: lost,
      run: lost,
    });
  return { prepare: (query) => deaf(database.prepare(query)), batch: lost };
}

describe("issueCode", () => {
  it("returns the channel and lifetime in one round trip", async () => {
    const { ctx, meter } = createCodeFixture();
    const messages: CodeToSend[] = [];
    const issue = (contact: typeof phone | typeof email) =>
      issueCode(
        ctx,
        withoutMessage({ contact, network }, (message) => void messages.push(message)),
      );
    expect(await issue(phone)).toEqual({
      deliveryChannel: "sms",
      expiresInSeconds: 300,
      nextResendInSeconds: 30,
    });
    expect(meter.d1).toBe(1);
    expect(await issue(email)).toMatchObject({ deliveryChannel: "email" });
    const common = { sender: "Corner Books", code: expect.stringMatching(/^\d{6}$/), minutes: 5 };
    const expiresAt = start + 5 * minute;
    expect(messages).toEqual([
      { ...common, channel: "sms", to: phone.value, expiresAt },
      { ...common, channel: "email", to: email.value, expiresAt },
    ]);
  });

  it("stores neither code nor contact nor network", async () => {
    const { ctx, issue } = createCodeFixture();
    const code = await issue();
    const [row] = await rowsOf(ctx.audience.id);
    const stored = JSON.stringify({ ...row, id: 0, issued_at: 0, expires_at: 0 });
    for (const secret of [code, phone.value, network]) expect(stored).not.toContain(secret);
    const digest = /^[0-9a-f]{64}$/;
    expect(row).toMatchObject({
      code_digest: expect.stringMatching(digest),
      contact_digest: expect.stringMatching(digest),
      address_digest: expect.stringMatching(digest),
    });
  });

  it("refuses a resend within 30 seconds and returns the wait", async () => {
    const { ctx, issue, wait } = createCodeFixture();
    await issue();
    wait(10 * second);
    expect(await refusalOf(issue())).toMatchObject({
      code: "RATE_LIMITED",
      context: { retry_after_ms: 20 * second },
    });
    wait(20 * second - 1);
    expect(await outcomeOf(issue())).toBe("RATE_LIMITED");
    wait(1);
    expect(await outcomeOf(issue())).toBe("ok");
    expect(await rowsOf(ctx.audience.id)).toHaveLength(2);
  });

  it("allows a resend after the code was redeemed, but not after a wrong attempt", async () => {
    const { issue, redeem } = createCodeFixture();
    const code = await issue();
    await redeem(code === "111111" ? "222222" : "111111");
    expect(await outcomeOf(issue())).toBe("RATE_LIMITED");
    await redeem(code);
    expect(await outcomeOf(issue())).toBe("ok");
  });

  it("allows five codes per contact, network and hour, redeemed or not", async () => {
    const { issue, redeem, wait } = createCodeFixture();
    for (const _ of [0, 1, 2, 3, 4]) {
      await redeem(await issue());
      wait(minute);
    }
    expect(await refusalOf(issue())).toMatchObject({
      code: "RATE_LIMITED",
      context: { retry_after_ms: 55 * minute },
    });
    wait(55 * minute - 1);
    expect(await outcomeOf(issue())).toBe("RATE_LIMITED");
    wait(1);
    expect(await outcomeOf(issue())).toBe("ok");
    expect(await outcomeOf(issue())).toBe("RATE_LIMITED");
  });

  it("allows twenty codes per network and hour, for any contacts", async () => {
    const { issue, wait } = createCodeFixture();
    for (let index = 0; index < 20; index += 1) await issue({ contact: phoneNumber(index) });
    expect(await refusalOf(issue({ contact: phoneNumber(20) }))).toMatchObject({
      code: "RATE_LIMITED",
      context: { retry_after_ms: 60 * minute },
    });
    expect(await outcomeOf(issue({ contact: phoneNumber(20), network: "203.0.113.8" }))).toBe("ok");
    wait(60 * minute);
    expect(await outcomeOf(issue({ contact: phoneNumber(21) }))).toBe("ok");
  });

  it("enforces its limits on concurrent calls", async () => {
    const { ctx, issue } = createCodeFixture();
    const ofContact = await Promise.all(
      Array.from({ length: 8 }, (_, index) => outcomeOf(issue({ network: `203.0.113.${index}` }))),
    );
    expect(ofContact.filter((outcome) => outcome === "ok")).toHaveLength(1);
    const ofAddress = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        outcomeOf(issue({ contact: phoneNumber(index), network: "198.51.100.1" })),
      ),
    );
    expect(ofAddress.filter((outcome) => outcome === "ok")).toHaveLength(20);
    expect(await rowsOf(ctx.audience.id)).toHaveLength(21);
  });

  it("fails with 503 during an outage, as redeeming does", async () => {
    const { ctx } = createCodeFixture();
    const without = { ...ctx, db: openDb(silent(env.SHOP_1), createMeter()) };
    expect(await outcomeOf(issueCode(without, withoutMessage({ contact: phone, network })))).toBe(
      "SERVICE_UNAVAILABLE",
    );
    expect(await outcomeOf(redeemCode(without, { contact: phone, code: "000000", network }))).toBe(
      "SERVICE_UNAVAILABLE",
    );
  });

  it("reads only the rows of the contact and the network", async () => {
    const { results } = await env.SHOP_1.prepare(
      "explain query plan select id from one_time_codes where audience = 'a' and contact_digest = 'c' and issued_at > 1 order by issued_at desc, id desc limit 1",
    ).all();
    expect(results.map(({ detail }) => detail)).toEqual([
      expect.stringContaining("USING COVERING INDEX one_time_codes_of_contact"),
    ]);
  });

  it("leaves one row of a network's logins, and none 90 days after the last", async () => {
    const { ctx, issue, redeem, wait } = createCodeFixture();
    for (const _ of [1, 2, 3]) {
      await redeem(await issue());
      wait(minute);
    }
    const purgeAt = (now: number) => ctx.db.batch([purgeCodes(ctx.db, now, { database: "shop" })]);
    const lastLogin = start + 2 * minute;
    for (const age of [60 * minute, 90 * day - 1]) {
      await purgeAt(lastLogin + age);
      expect(await rowsOf(ctx.audience.id)).toMatchObject([{ redeemed_at: lastLogin }]);
    }
    await purgeAt(lastLogin + 90 * day);
    expect(await rowsOf(ctx.audience.id)).toEqual([]);
  });

  it("leaves no unredeemed rows after an hour", async () => {
    const { ctx, issue, wait } = createCodeFixture();
    await issue();
    wait(minute);
    await issue();
    await ctx.db.batch([purgeCodes(ctx.db, start + 60 * minute, { database: "shop" })]);
    expect(await rowsOf(ctx.audience.id)).toMatchObject([{ issued_at: start + minute }]);
  });
});
