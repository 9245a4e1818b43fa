import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createBusiness, roundTrips } from "../support/world.ts";
import {
  createEnrolledLogin,
  createLogin,
  dataOf,
  homeAddress,
  type LinkLogin,
  refusalBody,
} from "./create-logins.ts";

let shop: CreatedBusiness;
let login: LinkLogin;
let ask: LinkLogin["ask"];

beforeEach(async () => {
  shop = await createBusiness();
  login = await createEnrolledLogin(shop);
  ask = login.ask;
});

const addAddress = async (): Promise<string> =>
  dataOf(await ask("POST", "/addresses", { body: homeAddress })).id;

describe("GET /data", () => {
  it("returns everything in 2 round trips, empty at first", async () => {
    const answer = await ask("GET", "/data");
    expect(answer.body).toEqual({
      success: true,
      data: {
        customer: { id: login.customerId, name: null, email: null, phone: login.contact },
        addresses: [],
        mobile_money: [],
        preferences: {
          preferred_order_type: null,
          default_address_id: null,
          notify_on_order: true,
          updated_at: null,
        },
        default_address: null,
        default_mobile_money: null,
      },
    });
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
  });

  it("returns the default records", async () => {
    await addAddress();
    const second = await addAddress();
    await ask("POST", `/addresses/${second}/default`);
    const wallet = { phone_number: "+233241234567", provider: "mtn" };
    const { id } = dataOf(await ask("POST", "/mobile-money", { body: wallet }));
    expect(dataOf(await ask("GET", "/data"))).toMatchObject({
      addresses: [{ is_default: false }, { id: second }],
      preferences: { default_address_id: second },
      default_address: { id: second, is_default: true },
      default_mobile_money: { id, is_default: true },
    });
  });
});

describe("/preferences", () => {
  it("returns NOT_ENROLLED before the account has enrolled", async () => {
    const { ask } = await createLogin(shop);
    const body = { notify_on_order: false };
    expect(await ask("GET", "/preferences")).toMatchObject({
      status: 404,
      body: refusalBody("NOT_ENROLLED"),
    });
    expect(await ask("POST", "/preferences", { body })).toMatchObject({
      status: 404,
      body: refusalBody("NOT_ENROLLED"),
    });
    expect((await ask("GET", "/data")).status).toBe(200);
  });

  it("updates the sent fields and keeps the others", async () => {
    await ask("POST", "/preferences", { body: { preferred_order_type: "dine_in" } });
    const answer = await ask("POST", "/preferences", { body: { notify_on_order: false } });
    expect(dataOf(answer)).toEqual({
      preferred_order_type: "dine-in",
      default_address_id: null,
      notify_on_order: false,
      updated_at: expect.stringMatching(/Z$/),
    });
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    expect(dataOf(await ask("GET", "/preferences"))).toEqual(dataOf(answer));
  });

  it("changes the default address", async () => {
    await addAddress();
    const second = await addAddress();
    const body = { default_address_id: second };
    expect(dataOf(await ask("POST", "/preferences", { body }))).toMatchObject(body);
    expect(dataOf(await ask("GET", "/addresses"))).toMatchObject([
      { is_default: false },
      { id: second, is_default: true },
    ]);
  });

  it("changes nothing when the default address is another account's", async () => {
    const ownId = await addAddress();
    const other = await createLogin(shop);
    const { id } = dataOf(await other.ask("POST", "/addresses", { body: homeAddress }));
    for (const default_address_id of [id, "addr_none"]) {
      const body = { default_address_id, notify_on_order: false };
      expect((await ask("POST", "/preferences", { body })).status).toBe(404);
    }
    expect(dataOf(await ask("GET", "/preferences"))).toMatchObject({
      default_address_id: ownId,
      notify_on_order: true,
      updated_at: null,
    });
  });

  it("accepts null as the default address until one is chosen or saved", async () => {
    const first = await addAddress();
    const body = { default_address_id: null, notify_on_order: false };
    const answer = await ask("POST", "/preferences", { body });
    expect(dataOf(answer)).toMatchObject(body);
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    expect(dataOf(await ask("POST", "/preferences", { body }))).toMatchObject(body);
    expect(dataOf(await ask("GET", "/data"))).toMatchObject({
      addresses: [{ id: first, is_default: false }],
      default_address: null,
    });
    const second = await addAddress();
    expect(dataOf(await ask("GET", "/preferences"))).toMatchObject({ default_address_id: second });
  });

  it("keeps null as the default address when addresses are removed", async () => {
    const [first, second] = [await addAddress(), await addAddress()];
    await ask("POST", "/preferences", { body: { default_address_id: null } });
    expect((await ask("DELETE", `/addresses/${first}`)).status).toBe(200);
    expect(dataOf(await ask("GET", "/addresses"))).toMatchObject([
      { id: second, is_default: false },
    ]);
    await ask("POST", `/addresses/${second}/default`);
    expect(dataOf(await ask("GET", "/preferences"))).toMatchObject({ default_address_id: second });
  });

  it.each([
    { preferred_order_type: "by balloon" },
    { notify_on_order: "yes" },
    { default_address_id: 1 },
  ])("rejects %j", async (body) => {
    expect(await ask("POST", "/preferences", { body })).toMatchObject({
      status: 400,
      body: refusalBody("VALIDATION_ERROR", { context: { field: Object.keys(body)[0] } }),
    });
  });
});
