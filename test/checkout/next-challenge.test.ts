import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import { deleteRefunds, runScriptedCheckout } from "./scripted-provider.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

afterEach(() => deleteRefunds(shop));

describe("the next challenge of a payment", () => {
  const asksFor = (authorizationType: "otp" | "pin") =>
    ({ type: "authorization", authorizationType, displayText: "Please." }) as const;

  it("is stored after a verification, and the attempt is returned", async () => {
    const { checkout, results, receiveNotice, loadOrder } = await runScriptedCheckout(
      shop,
      asksFor("otp"),
    );
    results.set(checkout.reference, asksFor("pin"));
    await selectRows(
      shop,
      "update payments set failed_attempts = 3 where id = ?",
      checkout.plan.paymentId,
    );
    await receiveNotice(checkout.reference);
    expect((await loadOrder()).payment).toMatchObject({
      status: "requires_action",
      nextAction: asksFor("pin"),
      failedAttempts: 2,
    });
    const { version } = (await loadOrder()).payment;
    await receiveNotice(checkout.reference);
    expect((await loadOrder()).payment).toMatchObject({ version, failedAttempts: 2 });
  });

  it("is stored when it is another page", async () => {
    const page = (path: string) =>
      ({ type: "redirect", authorizationUrl: `https://pay.test/${path}` }) as const;
    const { checkout, results, receiveNotice, loadOrder } = await runScriptedCheckout(
      shop,
      page("a"),
    );
    results.set(checkout.reference, page("b"));
    await receiveNotice(checkout.reference);
    expect((await loadOrder()).payment.nextAction).toEqual(page("b"));
  });
});
