import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openDb } from "../../shared/database/index.ts";
import { createMeter, Refusal } from "../../shared/kernel/index.ts";
import { issueCode, purgeCodes, redeemCode } from "../../shared/one-time-codes/index.ts";
import { email, givenCodes, outcomeOf, phone, start } from "./given.ts";

const second = 1_000;
const minute = 60 * second;
const address = "203.0.113.7";

const numbered = (index: number) => ({ type: "phone" as const, value: `+2332412340${10 + index}` });

const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
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

describe("issuing a one-time code (completions.md 3)", () => {
  it("says how it goes out and how long it lives, in one round trip", async () => {
    const { ctx, meter } = givenCodes();
    expect(await issueCode(ctx, { contact: phone, address })).toEqual({
      id: expect.any(Number),
      deliveryChannel: "sms",
      expiresInSeconds: 300,
      nextResendInSeconds: 30,
      message: {
        id: expect.stringMatching(/^msg_/),
        channel: "sms",
        to: phone.value,
        text: expect.stringMatching(
          /^\d{6} is your code for Corner Books\. It is valid for 5 minutes\. Tell it to nobody\.$/,
        ),
        expiresAt: start + 5 * minute,
      },
    });
    expect(meter.d1).toBe(1);
    expect(await issueCode(ctx, { contact: email, address })).toMatchObject({
      deliveryChannel: "email",
      message: { channel: "email", to: email.value, subject: "Your code for Corner Books" },
    });
  });

  it("keeps neither code nor contact nor address", async () => {
    const { ctx, issued } = givenCodes();
    const code = await issued();
    const [row] = await rowsOf(ctx.audience.id);
    const kept = JSON.stringify({ ...row, id: 0, issued_at: 0, expires_at: 0 });
    for (const secret of [code, phone.value, address]) expect(kept).not.toContain(secret);
    const digest = /^[0-9a-f]{64}$/;
    expect(row).toMatchObject({
      code_digest: expect.stringMatching(digest),
      contact_digest: expect.stringMatching(digest),
      address_digest: expect.stringMatching(digest),
    });
  });

  it("waits 30 seconds before the next one, and says how long", async () => {
    const { ctx, issued, wait } = givenCodes();
    await issued();
    wait(10 * second);
    expect(await refusalOf(issued())).toMatchObject({
      code: "RATE_LIMITED",
      context: { retry_after_ms: 20 * second },
    });
    wait(20 * second - 1);
    expect(await outcomeOf(issued())).toBe("RATE_LIMITED");
    wait(1);
    expect(await outcomeOf(issued())).toBe("ok");
    expect(await rowsOf(ctx.audience.id)).toHaveLength(2);
  });

  it("waits no longer once the code was redeemed, but after a wrong try it does", async () => {
    const { issued, redeem } = givenCodes();
    const code = await issued();
    await redeem(code === "111111" ? "222222" : "111111");
    expect(await outcomeOf(issued())).toBe("RATE_LIMITED");
    await redeem(code);
    expect(await outcomeOf(issued())).toBe("ok");
  });

  it("gives a contact five within an hour, redeemed or not", async () => {
    const { issued, redeem, wait } = givenCodes();
    for (const index of [0, 1, 2, 3, 4]) {
      await redeem(await issued({ address: `203.0.113.${index}` }));
      wait(minute);
    }
    expect(await refusalOf(issued({ address: "203.0.113.9" }))).toMatchObject({
      code: "RATE_LIMITED",
      context: { retry_after_ms: 55 * minute },
    });
    wait(55 * minute - 1);
    expect(await outcomeOf(issued())).toBe("RATE_LIMITED");
    wait(1);
    expect(await outcomeOf(issued())).toBe("ok");
    expect(await outcomeOf(issued())).toBe("RATE_LIMITED");
  });

  it("gives an address twenty within an hour, whomever they are for", async () => {
    const { issued, wait } = givenCodes();
    for (let index = 0; index < 20; index += 1) await issued({ contact: numbered(index) });
    expect(await refusalOf(issued({ contact: numbered(20) }))).toMatchObject({
      code: "RATE_LIMITED",
      context: { retry_after_ms: 60 * minute },
    });
    expect(await outcomeOf(issued({ contact: numbered(20), address: "203.0.113.8" }))).toBe("ok");
    wait(60 * minute);
    expect(await outcomeOf(issued({ contact: numbered(21) }))).toBe("ok");
  });

  it("takes the addresses of one IPv6 line for one", async () => {
    const { issued } = givenCodes();
    for (let index = 0; index < 20; index += 1)
      await issued({ contact: numbered(index), address: `2001:db8:0:7:${index}::1` });
    expect(await outcomeOf(issued({ contact: numbered(20), address: "2001:0DB8:0:7::ffff" }))).toBe(
      "RATE_LIMITED",
    );
    expect(await outcomeOf(issued({ contact: numbered(20), address: "2001:db8:0:8::1" }))).toBe(
      "ok",
    );
  });

  it("holds its limits for many at once", async () => {
    const { ctx, issued } = givenCodes();
    const ofContact = await Promise.all(
      Array.from({ length: 8 }, (_, index) => outcomeOf(issued({ address: `203.0.113.${index}` }))),
    );
    expect(ofContact.filter((outcome) => outcome === "ok")).toHaveLength(1);
    const ofAddress = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        outcomeOf(issued({ contact: numbered(index), address: "198.51.100.1" })),
      ),
    );
    expect(ofAddress.filter((outcome) => outcome === "ok")).toHaveLength(20);
    expect(await rowsOf(ctx.audience.id)).toHaveLength(21);
  });

  it("is refused with 503 when the codes cannot be counted, and so is redeeming one", async () => {
    const { ctx } = givenCodes();
    const without = { ...ctx, db: openDb(silent(env.SHOP_1), createMeter()) };
    expect(await outcomeOf(issueCode(without, { contact: phone, address }))).toBe(
      "SERVICE_UNAVAILABLE",
    );
    expect(await outcomeOf(redeemCode(without, { contact: phone, code: "000000" }))).toBe(
      "SERVICE_UNAVAILABLE",
    );
  });

  it("reads the rows of one contact and one address, and no others", async () => {
    const { results } = await env.SHOP_1.prepare(
      "explain query plan select id from one_time_codes where audience = 'a' and contact_digest = 'c' order by id desc limit 1",
    ).all();
    expect(results.map(({ detail }) => detail)).toEqual([
      expect.stringContaining("USING COVERING INDEX one_time_codes_of_contact"),
    ]);
  });

  it("leaves nothing behind an hour later", async () => {
    const { ctx, issued, wait } = givenCodes();
    await issued();
    wait(minute);
    await issued();
    await ctx.db.batch([purgeCodes(ctx.db, start + 60 * minute, { of: "shop" })]);
    expect(await rowsOf(ctx.audience.id)).toMatchObject([{ issued_at: start + minute }]);
  });
});
