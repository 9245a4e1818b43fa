import { expect, it } from "vitest";
import { fromSentBusiness, toSentBusiness } from "../../functions/runtime/objects/sent-business.ts";
import { createBusiness } from "../support/world.ts";

it("arrives with every field, and changed when the business has changed", async () => {
  const { business } = await createBusiness();
  expect(fromSentBusiness(toSentBusiness(business))).toEqual(business);
  const renamed = { ...business, name: "Other name" };
  expect(fromSentBusiness(toSentBusiness(renamed))).toEqual(renamed);
});

it("is built and read once while the business stays the same", async () => {
  const { business } = await createBusiness();
  expect(fromSentBusiness(toSentBusiness(business))).toBe(
    fromSentBusiness(toSentBusiness(business)),
  );
});

it("may be sent as fields by a Worker of the version before", async () => {
  const { business } = await createBusiness();
  expect(fromSentBusiness(business)).toBe(business);
});
