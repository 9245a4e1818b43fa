import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { minute } from "../../shared/kernel/index.ts";
import { issueCode } from "../../shared/one-time-codes/index.ts";
import { createCodeFixture, email, network, phone, wrongCode } from "./create-code.ts";

describe("redeemCode", () => {
  it("accepts a code once, in one round trip", async () => {
    const { issue, redeem, meter } = createCodeFixture();
    const code = await issue();
    meter.d1 = 0;
    expect(await redeem(code)).toBe("ok");
    expect(meter.d1).toBe(1);
    expect(await redeem(code)).toBe("UNAUTHORIZED");
  });

  it("rejects an unknown code, another contact's and another audience's", async () => {
    const one = createCodeFixture();
    const code = await one.issue();
    expect(await one.redeem(code, { contact: email })).toBe("UNAUTHORIZED");
    expect(await createCodeFixture().redeem(code)).toBe("UNAUTHORIZED");
    expect(await one.redeem(code)).toBe("ok");
  });

  it("accepts a code for exactly 300 seconds", async () => {
    const one = createCodeFixture();
    const code = await one.issue();
    one.wait(5 * minute - 1);
    expect(await one.redeem(wrongCode(code))).toBe("UNAUTHORIZED");
    one.wait(1);
    expect(await one.redeem(code)).toBe("UNAUTHORIZED");
    const other = createCodeFixture();
    const theirs = await other.issue();
    other.wait(5 * minute - 1);
    expect(await other.redeem(theirs)).toBe("ok");
  });

  it("accepts a code after four wrong attempts and rejects it after five", async () => {
    const forgiven = createCodeFixture();
    const code = await forgiven.issue();
    for (const _ of [1, 2, 3, 4]) await forgiven.redeem(wrongCode(code));
    expect(await forgiven.redeem(code)).toBe("ok");

    const spent = createCodeFixture();
    const theirs = await spent.issue();
    for (const _ of [1, 2, 3, 4, 5]) await spent.redeem(wrongCode(theirs));
    expect(await spent.redeem(theirs)).toBe("UNAUTHORIZED");
  });

  it("accepts only the newest code, which has its own attempts", async () => {
    const { issue, redeem, wait } = createCodeFixture();
    const first = await issue();
    for (const _ of [1, 2, 3, 4]) await redeem(wrongCode(first));
    wait(minute);
    const second = await issue();
    if (first !== second) expect(await redeem(first)).toBe("UNAUTHORIZED");
    expect(await redeem(second)).toBe("ok");
  });

  it("lets one of many concurrent calls redeem the code", async () => {
    const { issue, redeem } = createCodeFixture();
    const code = await issue();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => redeem(code)));
    expect(outcomes.filter((outcome) => outcome === "ok")).toHaveLength(1);
  });

  it("allows no sixth guess in concurrent calls", async () => {
    const { issue, redeem, ctx } = createCodeFixture();
    const code = await issue();
    await Promise.all(Array.from({ length: 12 }, () => redeem(wrongCode(code))));
    expect(await redeem(code)).toBe("UNAUTHORIZED");
    const row = await env.SHOP_1.prepare("select * from one_time_codes where audience = ?")
      .bind(ctx.audience.id)
      .first();
    expect(row).toMatchObject({ wrong_tries: 5, redeemed_at: null });
  });

  it("accepts 123456 in test mode, where no message is sent", async () => {
    const { redeem, ctx } = createCodeFixture({ mode: "test" });
    const writeMessage = vi.fn();
    const issued = await issueCode(ctx, { contact: phone, network, writeMessage });
    expect(writeMessage).not.toHaveBeenCalled();
    expect(issued).toEqual({
      deliveryChannel: "sms",
      expiresInSeconds: 300,
      nextResendInSeconds: 30,
    });
    expect(await redeem("123456")).toBe("ok");
  });

  it("stores Link's codes in CORE", async () => {
    const { issue, redeem } = createCodeFixture({ database: env.CORE });
    expect(await redeem(await issue())).toBe("ok");
  });
});
