import { describe, expect, it } from "vitest";
import {
  date,
  freeObject,
  instant,
  moneyText,
  percentText,
  text,
} from "../../functions/wire/fields.ts";
import { refusalBody } from "../link/create-logins.ts";
import { call, createBusiness, shopper } from "../support/world.ts";

const isValid = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe("free text", () => {
  it("accepts characters of every plane and rejects lone surrogates", () => {
    for (const one of ["tea", "🫖", "שלום", "a\nb"]) expect(isValid(text(9), one), one).toBe(true);
    for (const one of ["\ud83e", "tea\udc00", "\udc00\ud800"])
      expect(isValid(text(9), one), JSON.stringify(one)).toBe(false);
  });

  it("has the same rule in a free object, keys included", () => {
    expect(isValid(freeObject(), { note: { in: ["🫖"] } })).toBe(true);
    for (const one of [{ note: { in: ["\ud83e"] } }, { "\ud83e": 1 }])
      expect(isValid(freeObject(), one), JSON.stringify(one)).toBe(false);
  });
});

describe("a date", () => {
  it("exists in the calendar", () => {
    for (const one of ["2028-02-29", "2030-01-07"]) expect(isValid(date(), one)).toBe(true);
    for (const one of ["2030-02-30", "2030-1-7", '["2030-01-07"]', ""])
      expect(isValid(date(), one)).toBe(false);
  });

  it("is rejected with its field where dates are compared", async () => {
    const days = "start_date=2030-02-30&end_date=2030-03-01";
    const ask = shopper(await createBusiness());
    expect(await ask("GET", `/scheduling/availability?service_id=svc_1&${days}`)).toMatchObject({
      status: 400,
      body: refusalBody("VALIDATION_ERROR", { context: { field: "start_date" } }),
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

  it("rejects invalid dates and times and a missing offset", () => {
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
    for (const one of none) expect(isValid(instant(), one), String(one)).toBe(false);
  });
});

describe("a decimal number", () => {
  it("is accepted as text or number and kept as text", () => {
    for (const one of ["12.50", 12.5, "-3", 0, "0.0001"])
      expect(moneyText().parse(one), String(one)).toBe(String(one));
    for (const one of ["12.5", 12.5, 100, "0"])
      expect(percentText().parse(one), String(one)).toBe(String(one));
  });

  it("rejects other values, and null where it is not nullable", () => {
    for (const one of ["12,50", " 1", "", 1e21, "1.00000", true, null, undefined, {}, ["1"]]) {
      expect(isValid(moneyText(), one), JSON.stringify(one)).toBe(false);
      expect(isValid(percentText(), one), JSON.stringify(one)).toBe(false);
    }
    expect(isValid(percentText(), 100.5)).toBe(false);
    expect(moneyText().nullable().parse(null)).toBeNull();
    expect(moneyText().default("0").parse(undefined)).toBe("0");
  });

  it("is rejected with one issue and its own message", () => {
    expect(percentText().safeParse("x").error?.issues).toMatchObject([
      { message: "must be a percentage such as 12.5" },
    ]);
  });
});

describe("a body that is not JSON", () => {
  it("is rejected with the field body", async () => {
    const answer = await call("POST", "/v1/link/auth/refresh", {
      rawBody: '{"refresh_token":',
      headers: { "Content-Type": "application/json" },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: refusalBody("VALIDATION_ERROR", {
        context: { field: "body", issues: [{ field: "body", message: expect.any(String) }] },
      }),
    });
  });
});
