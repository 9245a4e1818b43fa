import { beforeEach, describe, expect, it, vi } from "vitest";
import { outcomeOf } from "../one-time-codes/given.ts";
import { givenProduct } from "../support/catalogue.ts";
import { Crash, type Dies, faults, never } from "../support/faults.ts";
import { givenBusiness } from "../support/world.ts";
import {
  books,
  doneBy,
  enrol,
  givenEnrolling,
  later,
  type Seller,
  start,
  untouched,
} from "./enrolling.ts";

let seller: Seller;

beforeEach(async () => {
  vi.setSystemTime(start);
  const shop = await givenBusiness();
  seller = { shop, product: await givenProduct(shop) };
});

/** The order read, the intent, the shop's batch, CORE's last batch. */
const effects = 4;
const isWritten = (at: number, when: "before" | "after") =>
  at > 2 || (at === 2 && when === "after");

const crashes = (["owner", "holder"] as const).flatMap((who) =>
  Array.from({ length: effects }, (_, index) => [
    { who, at: index + 1, when: "before" as const },
    { who, at: index + 1, when: "after" as const },
  ]).flat(),
);

describe("an enrolment with an order that dies", () => {
  it.each(crashes)(
    "$when effect $at of the $who shows nothing, and is whole or not at all once the job has run",
    async ({ who, at, when }) => {
      const someone = await givenEnrolling(seller, who);
      await expect(enrol(faults(at, when), someone)).rejects.toBeInstanceOf(Crash);
      const isOver = at === effects && when === "after";
      const { shown, saved } = isOver ? doneBy[who] : untouched;
      expect(await books(someone)).toMatchObject({ shown, saved });
      await later();
      const expected = isWritten(at, when) ? doneBy[who] : untouched;
      expect(await books(someone)).toEqual(expected);
      await later();
      expect(await books(someone)).toEqual(expected);
    },
  );

  it.each(crashes)(
    "$when effect $at of the $who happens once when it is asked for again",
    async ({ who, at, when }) => {
      const someone = await givenEnrolling(seller, who);
      await expect(enrol(faults(at, when), someone)).rejects.toBeInstanceOf(Crash);
      await enrol(never, someone);
      expect(await books(someone)).toEqual(doneBy[who]);
      await later();
      expect(await books(someone)).toEqual(doneBy[who]);
    },
  );

  it("has as many effects as the table above says", async () => {
    for (const who of ["owner", "holder"] as const) {
      let counted = 0;
      const counting: Dies = (effect) => {
        counted += 1;
        return effect();
      };
      await enrol(counting, await givenEnrolling(seller, who));
      expect(counted).toBe(effects);
    }
  });
});

describe("an enrolment with an order that another request overtakes", () => {
  const places = [2, 3, 4].flatMap((at) => [
    { who: "owner" as const, at },
    { who: "holder" as const, at },
  ]);

  it.each(places)("before effect $at, of the $who, happens once", async ({ who, at }) => {
    const someone = await givenEnrolling(seller, who);
    let counted = 0;
    const overtaken: Dies = async (effect) => {
      counted += 1;
      if (counted === at) await enrol(never, someone);
      return effect();
    };
    await enrol(overtaken, someone);
    expect(await books(someone)).toEqual(doneBy[who]);
  });

  it("is refused when that was another account's", async () => {
    const someone = await givenEnrolling(seller, "owner");
    const other = { ...someone, session: (await givenEnrolling(seller, "owner")).session };
    let counted = 0;
    const overtaken: Dies = async (effect) => {
      counted += 1;
      if (counted === 2) await enrol(never, other, true);
      return effect();
    };
    expect(await outcomeOf(enrol(overtaken, someone))).toBe("CONFLICT");
    expect(await books(someone)).toMatchObject({ saved: [0, 0], waiting: 0, links: 1 });
  });
});
