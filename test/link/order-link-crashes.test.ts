import { beforeEach, describe, expect, it, vi } from "vitest";
import { outcomeOf } from "../one-time-codes/create-code.ts";
import { createProduct } from "../support/create-product.ts";
import { Crash, type CrashPoint, crashAtEffect, neverCrash } from "../support/faults.ts";
import { createBusiness } from "../support/world.ts";
import {
  createOrderEnrolment,
  enrolledState,
  enrollWithTestOrder,
  loadEnrolmentState,
  runCronMinuteLater,
  type ShopWithProduct,
  startTime,
  unchangedState,
} from "./create-order-enrolment.ts";

let seller: ShopWithProduct;

beforeEach(async () => {
  vi.setSystemTime(startTime);
  const shop = await createBusiness();
  seller = { shop, product: await createProduct(shop) };
});

/** Reading the order, writing the intent, the shard's batch, CORE's last batch. */
const effects = 4;
const isIntentWritten = (at: number, when: "before" | "after") =>
  at > 2 || (at === 2 && when === "after");

const crashes = Array.from({ length: effects }, (_, index) => [
  { at: index + 1, when: "before" as const },
  { at: index + 1, when: "after" as const },
]).flat();

describe("an enrolment with an order that crashes", () => {
  it.each(crashes)(
    "$when effect $at has no visible effect, and all or none after the job has run",
    async ({ at, when }) => {
      const enrolment = await createOrderEnrolment(seller);
      await expect(enrollWithTestOrder(crashAtEffect(at, when), enrolment)).rejects.toBeInstanceOf(
        Crash,
      );
      const isComplete = at === effects && when === "after";
      const { status, saved } = isComplete ? enrolledState : unchangedState;
      expect(await loadEnrolmentState(enrolment)).toMatchObject({ status, saved });
      await runCronMinuteLater();
      const expected = isIntentWritten(at, when) ? enrolledState : unchangedState;
      expect(await loadEnrolmentState(enrolment)).toEqual(expected);
      await runCronMinuteLater();
      expect(await loadEnrolmentState(enrolment)).toEqual(expected);
    },
  );

  it.each(crashes)("$when effect $at takes effect once when repeated", async ({ at, when }) => {
    const enrolment = await createOrderEnrolment(seller);
    await expect(enrollWithTestOrder(crashAtEffect(at, when), enrolment)).rejects.toBeInstanceOf(
      Crash,
    );
    await enrollWithTestOrder(neverCrash, enrolment);
    expect(await loadEnrolmentState(enrolment)).toEqual(enrolledState);
    await runCronMinuteLater();
    expect(await loadEnrolmentState(enrolment)).toEqual(enrolledState);
  });

  it("has the number of effects above", async () => {
    let counted = 0;
    const counting: CrashPoint = (effect) => {
      counted += 1;
      return effect();
    };
    await enrollWithTestOrder(counting, await createOrderEnrolment(seller));
    expect(counted).toBe(effects);
  });
});

describe("an enrolment with an order, concurrent with another request", () => {
  it.each([2, 3, 4])("before effect %i, takes effect once", async (at) => {
    const enrolment = await createOrderEnrolment(seller);
    let counted = 0;
    const runInterleaved: CrashPoint = async (effect) => {
      counted += 1;
      if (counted === at) await enrollWithTestOrder(neverCrash, enrolment);
      return effect();
    };
    await enrollWithTestOrder(runInterleaved, enrolment);
    expect(await loadEnrolmentState(enrolment)).toEqual(enrolledState);
  });

  it("is rejected when that links another account", async () => {
    const enrolment = await createOrderEnrolment(seller);
    const other = { ...enrolment, session: (await createOrderEnrolment(seller)).session };
    let counted = 0;
    const runInterleaved: CrashPoint = async (effect) => {
      counted += 1;
      if (counted === 2) await enrollWithTestOrder(neverCrash, other, true);
      return effect();
    };
    expect(await outcomeOf(enrollWithTestOrder(runInterleaved, enrolment))).toBe("CONFLICT");
    expect(await loadEnrolmentState(enrolment)).toMatchObject({
      saved: [0, 0],
      intents: 0,
      links: 1,
    });
  });
});
