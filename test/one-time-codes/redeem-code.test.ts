import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { issueCode } from "../../shared/one-time-codes/index.ts";
import { email, givenCodes, otherThan, phone } from "./given.ts";

const minute = 60_000;

describe("redeeming a one-time code (completions.md 3)", () => {
  it("works once, in one round trip", async () => {
    const { issued, redeem, meter } = givenCodes();
    const code = await issued();
    meter.d1 = 0;
    expect(await redeem(code)).toBe("ok");
    expect(meter.d1).toBe(1);
    expect(await redeem(code)).toBe("UNAUTHORIZED");
  });

  it("refuses a code that was never issued, another contact's and another audience's alike", async () => {
    const one = givenCodes();
    const code = await one.issued();
    expect(await one.redeem(code, email)).toBe("UNAUTHORIZED");
    expect(await givenCodes().redeem(code)).toBe("UNAUTHORIZED");
    expect(await one.redeem(code)).toBe("ok");
  });

  it("works for 300 seconds, and not a millisecond longer", async () => {
    const one = givenCodes();
    const code = await one.issued();
    one.wait(5 * minute - 1);
    expect(await one.redeem(otherThan(code))).toBe("UNAUTHORIZED");
    one.wait(1);
    expect(await one.redeem(code)).toBe("UNAUTHORIZED");
    const other = givenCodes();
    const theirs = await other.issued();
    other.wait(5 * minute - 1);
    expect(await other.redeem(theirs)).toBe("ok");
  });

  it("forgives four wrong tries, and is spent by the fifth", async () => {
    const forgiven = givenCodes();
    const code = await forgiven.issued();
    for (const _ of [1, 2, 3, 4]) await forgiven.redeem(otherThan(code));
    expect(await forgiven.redeem(code)).toBe("ok");

    const spent = givenCodes();
    const theirs = await spent.issued();
    for (const _ of [1, 2, 3, 4, 5]) await spent.redeem(otherThan(theirs));
    expect(await spent.redeem(theirs)).toBe("UNAUTHORIZED");
  });

  it("is replaced by the next one, whose tries are new", async () => {
    const { issued, redeem, wait } = givenCodes();
    const first = await issued();
    for (const _ of [1, 2, 3, 4]) await redeem(otherThan(first));
    wait(minute);
    const second = await issued();
    if (first !== second) expect(await redeem(first)).toBe("UNAUTHORIZED");
    expect(await redeem(second)).toBe("ok");
  });

  it("is redeemed by one of many at once", async () => {
    const { issued, redeem } = givenCodes();
    const code = await issued();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => redeem(code)));
    expect(outcomes.filter((outcome) => outcome === "ok")).toHaveLength(1);
  });

  it("gives no sixth guess to many at once", async () => {
    const { issued, redeem, ctx } = givenCodes();
    const code = await issued();
    await Promise.all(Array.from({ length: 12 }, () => redeem(otherThan(code))));
    expect(await redeem(code)).toBe("UNAUTHORIZED");
    const row = await env.SHOP_1.prepare("select * from one_time_codes where audience = ?")
      .bind(ctx.audience.id)
      .first();
    expect(row).toMatchObject({ wrong_tries: 5, redeemed_at: null });
  });

  it("is 123456 in test mode, and there is nobody to write to", async () => {
    const { redeem, ctx } = givenCodes({ mode: "test" });
    const issued = await issueCode(ctx, { contact: phone, address: "203.0.113.7" });
    expect(issued).toEqual({
      id: expect.any(Number),
      deliveryChannel: "sms",
      expiresInSeconds: 300,
      nextResendInSeconds: 30,
      message: null,
    });
    expect(await redeem("123456")).toBe("ok");
  });

  it("is kept in CORE as well, for Link", async () => {
    const { issued, redeem } = givenCodes({ database: env.CORE });
    expect(await redeem(await issued())).toBe("ok");
  });
});
