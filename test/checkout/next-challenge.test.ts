import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";
import { forgetRefunds, ran } from "./scripted-sale.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

afterEach(() => forgetRefunds(shop));

describe("what the shopper is asked for next", () => {
  const asksFor = (authorizationType: "otp" | "pin") =>
    ({ type: "authorization", authorizationType, displayText: "Please." }) as const;

  it("is told by the provider when asked: the next challenge, with its try given back", async () => {
    const { checkout, stands, hear, paid } = await ran(shop, asksFor("otp"));
    stands.set(checkout.reference, asksFor("pin"));
    await rowsOf(
      shop,
      "update payments set failed_attempts = 3 where id = ?",
      checkout.plan.paymentId,
    );
    await hear(checkout.reference);
    expect((await paid()).payment).toMatchObject({
      status: "requires_action",
      nextAction: asksFor("pin"),
      failedAttempts: 2,
    });
    const { version } = (await paid()).payment;
    await hear(checkout.reference);
    expect((await paid()).payment).toMatchObject({ version, failedAttempts: 2 });
  });

  it("is told when it is another page", async () => {
    const page = (path: string) =>
      ({ type: "redirect", authorizationUrl: `https://pay.test/${path}` }) as const;
    const { checkout, stands, hear, paid } = await ran(shop, page("a"));
    stands.set(checkout.reference, page("b"));
    await hear(checkout.reference);
    expect((await paid()).payment.nextAction).toEqual(page("b"));
  });
});
