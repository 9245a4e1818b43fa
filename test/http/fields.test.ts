import { describe, expect, it } from "vitest";
import { date, freeObject, text } from "../../functions/http/fields.ts";
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
