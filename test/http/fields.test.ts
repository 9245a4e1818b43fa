import { describe, expect, it } from "vitest";
import {
  date,
  freeObject,
  instant,
  moneyText,
  percentText,
  text,
} from "../../functions/wire/fields.ts";
import { refusal } from "../link/given.ts";
import { call, givenBusiness, shopper } from "../support/world.ts";

const takes = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe("free text", () => {
  it("takes signs of every plane, and no half of one, which would be stored as another", () => {
    for (const one of ["tea", "🫖", "שלום", "a\nb"]) expect(takes(text(9), one), one).toBe(true);
    for (const one of ["\ud83e", "tea\udc00", "\udc00\ud800"])
      expect(takes(text(9), one), JSON.stringify(one)).toBe(false);
  });

  it("is held to the same in a free object, keys included", () => {
    expect(takes(freeObject(), { note: { in: ["🫖"] } })).toBe(true);
    for (const one of [{ note: { in: ["\ud83e"] } }, { "\ud83e": 1 }])
      expect(takes(freeObject(), one), JSON.stringify(one)).toBe(false);
  });
});

describe("a day", () => {
  it("is one of the calendar", () => {
    for (const one of ["2028-02-29", "2030-01-07"]) expect(takes(date(), one)).toBe(true);
    for (const one of ["2030-02-30", "2030-1-7", '["2030-01-07"]', ""])
      expect(takes(date(), one)).toBe(false);
  });

  it("is refused by name where days are compared, before anything reads it", async () => {
    const days = "start_date=2030-02-30&end_date=2030-03-01";
    const ask = shopper(await givenBusiness());
    expect(await ask("GET", `/scheduling/availability?service_id=svc_1&${days}`)).toMatchObject({
      status: 400,
      body: refusal("VALIDATION_ERROR", { context: { field: "start_date" } }),
    });
  });
});

describe("an instant", () => {
  it("is taken in any ISO 8601 offset, to the minute, the second or less", () => {
    const same = [
      "2030-05-06T08:00:00.000Z",
      "2030-05-06T08:00:00Z",
      "2030-05-06T08:00Z",
      "2030-05-06T09:00:00+01:00",
      "2030-05-06T09:00:00+0100",
      "2030-05-06T09:00:00.0+01",
      "2030-05-06T04:30-03:30",
      "2030-05-06T08:00:00-00:00",
    ];
    for (const one of same) expect(instant().parse(one), one).toBe(Date.UTC(2030, 4, 6, 8));
  });

  it("is of the calendar and the clock, and never without an offset", () => {
    const none = [
      "2030-05-06T08:00:00",
      "2030-05-06",
      "2030-02-30T08:00:00Z",
      "2030-05-06T24:00:00Z",
      "2030-05-06T08:60:00Z",
      "2030-05-06T08:00:00+24",
      "2030-05-06T08:00:00+1",
      "2030-05-06T08:00:00+01:60",
      "2030-05-06T08Z",
      `2030-05-06T08:00:00.${"0".repeat(64)}Z`,
      "now",
      "",
      1_904_284_800_000,
    ];
    for (const one of none) expect(takes(instant(), one), String(one)).toBe(false);
  });
});

describe("a decimal number", () => {
  it("is taken as text or as a number, and kept as text", () => {
    for (const one of ["12.50", 12.5, "-3", 0, "0.0001"])
      expect(moneyText().parse(one), String(one)).toBe(String(one));
    for (const one of ["12.5", 12.5, 100, "0"])
      expect(percentText().parse(one), String(one)).toBe(String(one));
  });

  it("is nothing else, and null only where it may be", () => {
    for (const one of ["12,50", " 1", "", 1e21, "1.00000", true, null, undefined, {}, ["1"]]) {
      expect(takes(moneyText(), one), JSON.stringify(one)).toBe(false);
      expect(takes(percentText(), one), JSON.stringify(one)).toBe(false);
    }
    expect(takes(percentText(), 100.5)).toBe(false);
    expect(moneyText().nullable().parse(null)).toBeNull();
    expect(moneyText().default("0").parse(undefined)).toBe("0");
  });

  it("is refused once, in its own words", () => {
    expect(percentText().safeParse("x").error?.issues).toMatchObject([
      { message: "must be a percentage such as 12.5" },
    ]);
  });
});

describe("a body that is no JSON", () => {
  it("is refused as the field that it is", async () => {
    const answer = await call("POST", "/v1/link/auth/refresh", {
      raw: '{"refresh_token":',
      headers: { "Content-Type": "application/json" },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: refusal("VALIDATION_ERROR", {
        context: { field: "body", issues: [{ field: "body", message: expect.any(String) }] },
      }),
    });
  });
});
