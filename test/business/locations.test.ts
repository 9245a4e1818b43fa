import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { chance } from "../../functions/runtime/runtime.ts";
import { defaultLocation, locationRepo, updateLocation } from "../../shared/businesses/index.ts";
import { type Db, openDb } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import { contextFor, givenBusiness, merchant } from "../support/world.ts";
import { at, givenKey, refusal, success } from "./given.ts";

const osu = {
  name: "Osu",
  address: {
    street_address: "1 Oxford Street",
    city: "Accra",
    region: "Greater Accra",
    country: "GH",
    postal_code: null,
  },
  timezone: "Africa/Accra",
  operating_hours: {
    mon: [
      { open: "09:00", close: "12:00" },
      { open: "13:00", close: "24:00" },
    ],
    sun: [],
  },
  closures: [{ from: "2026-12-25", to: "2026-12-26", reason: "Christmas" }],
  is_default: false,
};

type Ask = ReturnType<typeof merchant>;

const added = async (ask: Ask, body: Record<string, unknown> = osu) =>
  String(at(await ask("POST", "/locations", { body }), "data.id"));

async function defaultsOf(ask: Ask): Promise<unknown[]> {
  const list = await ask("GET", "/locations");
  const items = at(list, "data.items");
  return Array.isArray(items)
    ? items.filter(({ is_default }) => is_default).map(({ id }) => id)
    : [];
}

describe("POST /v1/businesses/{business_id}/locations", () => {
  it("adds a location with every field", async () => {
    const made = await merchant(await givenBusiness())("POST", "/locations", { body: osu });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject(
      success({ ...osu, id: expect.stringMatching(/^loc_/), archived_at: null }),
    );
  });

  it("takes the business's time zone and a single closed day", async () => {
    const body = { name: "Kiosk", closures: [{ date: "2027-01-01" }] };
    const made = await merchant(await givenBusiness({ timezone: "Africa/Lagos" }))(
      "POST",
      "/locations",
      { body },
    );
    expect(made.body).toMatchObject(
      success({
        timezone: "Africa/Lagos",
        address: null,
        closures: [{ from: "2027-01-01", to: "2027-01-01", reason: null }],
      }),
    );
  });

  it("takes the place of the default when it says so", async () => {
    const ask = merchant(await givenBusiness());
    const id = await added(ask, { name: "New default", is_default: true });
    expect(await defaultsOf(ask)).toEqual([id]);
  });

  it.each([
    ["name", {}],
    ["name", { name: "\n" }],
    ["timezone", { name: "A", timezone: "Accra" }],
    ["address.country", { name: "A", address: { country: "XX" } }],
    [
      "operating_hours.mon.0.open",
      { name: "A", operating_hours: { mon: [{ open: "9:00", close: "10:00" }] } },
    ],
    [
      "operating_hours.mon.0.close",
      { name: "A", operating_hours: { mon: [{ open: "10:00", close: "09:00" }] } },
    ],
    [
      "operating_hours.tue",
      {
        name: "A",
        operating_hours: {
          tue: [
            { open: "09:00", close: "11:00" },
            { open: "10:00", close: "12:00" },
          ],
        },
      },
    ],
    ["is_default", { name: "A", is_default: 1 }],
  ])("names %s when the body is %j", async (field, body) => {
    const refused = await merchant(await givenBusiness())("POST", "/locations", { body });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
  });

  it.each([
    [{ date: "2026-02-30" }, "must be a closed day {date}, or days {from, to}"],
    [{ from: "2026-12-26", to: "2026-12-25" }, "must not be before from"],
    [{}, "must be a closed day {date}, or days {from, to}"],
  ])("refuses %j as a closure, and says what is one", async (closure, message) => {
    const body = { name: "A", closures: [closure] };
    const refused = await merchant(await givenBusiness())("POST", "/locations", { body });
    expect(refused.status).toBe(400);
    expect(String(at(refused, "error.context.field"))).toMatch(/^closures\.0/);
    expect(at(refused, "error.message")).toContain(message);
  });
});

describe("GET /v1/businesses/{business_id}/locations/{location_id}", () => {
  it("answers as the call that wrote the location", async () => {
    const ask = merchant(await givenBusiness());
    const made = await ask("POST", "/locations", { body: osu });
    const path = `/locations/${at(made, "data.id")}`;
    expect((await ask("GET", path)).body).toEqual(made.body);
    const changed = await ask("PATCH", path, { body: { name: "Osu II" } });
    expect((await ask("GET", path)).body).toEqual(changed.body);
  });

  it("is 404 for another business's location and for an archived one", async () => {
    const other = await givenBusiness();
    const ask = merchant(await givenBusiness());
    const archived = await added(ask);
    await ask("DELETE", `/locations/${archived}`);
    for (const id of [other.business.locations[0]?.id, archived, "loc_unknown"]) {
      expect((await ask("GET", `/locations/${id}`)).status).toBe(404);
    }
  });
});

describe("PATCH /v1/businesses/{business_id}/locations/{location_id}", () => {
  it("changes what is named and leaves the rest", async () => {
    const ask = merchant(await givenBusiness());
    const id = await added(ask);
    const changed = await ask("PATCH", `/locations/${id}`, {
      body: { name: "Osu II", address: null },
    });
    expect(changed.body).toMatchObject(success({ ...osu, name: "Osu II", address: null }));
    const list = await ask("GET", "/locations");
    expect(at(list, "data.items.1")).toMatchObject({ ...osu, name: "Osu II", address: null });
  });

  it("leaves the default the default, whatever else of it changes", async () => {
    const shop = await givenBusiness();
    const ask = merchant(shop);
    const id = String(shop.business.locations[0]?.id);
    for (const body of [{ name: "Harbour" }, { operating_hours: osu.operating_hours }]) {
      const changed = await ask("PATCH", `/locations/${id}`, { body });
      expect(changed.body).toMatchObject(success({ ...body, is_default: true }));
      expect(await defaultsOf(ask)).toEqual([id]);
    }
  });

  it("has exactly one default after it is switched, also by two at once", async () => {
    const ask = merchant(await givenBusiness());
    const ids = [await added(ask), await added(ask)];
    const body = { is_default: true };
    const answers = await Promise.all(ids.map((id) => ask("PATCH", `/locations/${id}`, { body })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const defaults = await defaultsOf(ask);
    expect(defaults).toHaveLength(1);
    expect(ids).toContain(defaults[0]);
  });

  it("does not leave the business without a default", async () => {
    const shop = await givenBusiness();
    const ask = merchant(shop);
    const refused = await ask("PATCH", `/locations/${shop.business.locations[0]?.id}`, {
      body: { is_default: false },
    });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject(
      refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "INVALID_STATE" } }),
    );
  });

  it("is 404 for another business's location and for an archived one", async () => {
    const other = await givenBusiness();
    const ask = merchant(await givenBusiness());
    const archived = await added(ask);
    await ask("DELETE", `/locations/${archived}`);
    for (const id of [other.business.locations[0]?.id, archived, "loc_unknown"]) {
      const refused = await ask("PATCH", `/locations/${id}`, {
        body: { name: "Mine", is_default: true },
      });
      expect(refused.status).toBe(404);
    }
    expect(await defaultsOf(ask)).toHaveLength(1);
    expect(await defaultsOf(merchant(other))).toEqual([other.business.locations[0]?.id]);
  });
});

describe("DELETE /v1/businesses/{business_id}/locations/{location_id}", () => {
  it("archives a location, and again changes nothing", async () => {
    const ask = merchant(await givenBusiness());
    const id = await added(ask);
    const archived = await ask("DELETE", `/locations/${id}`);
    expect(archived.status).toBe(200);
    expect(archived.body).toMatchObject(
      success({ id, name: "Osu", archived_at: expect.any(String) }),
    );
    expect((await ask("DELETE", `/locations/${id}`)).body).toEqual(archived.body);
    expect(at(await ask("GET", "/locations"), "data.items")).toHaveLength(1);
    expect((await ask("GET", `/audit?entity=${id}`)).body).toMatchObject(
      success({ items: [{ action: "location.archived" }, { action: "location.created" }] }),
    );
  });

  it("keeps the default", async () => {
    const shop = await givenBusiness();
    const ask = merchant(shop);
    const id = shop.business.locations[0]?.id;
    const refused = await ask("DELETE", `/locations/${id}`);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject(
      refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "INVALID_STATE" } }),
    );
    expect(await defaultsOf(ask)).toEqual([id]);
    expect((await ask("GET", "/audit")).body).toMatchObject(success({ items: [] }));
  });
});

describe("the default location, when another change comes between the read and the write", () => {
  const core = openDb(env.CORE, createMeter());

  it("is not archived by who read it before it became the default", async () => {
    const { business } = await givenBusiness();
    const id = defaultLocation(business).id;
    const repo = locationRepo(core, business.id);
    await core.batch([repo.archive(id, 1)]);
    expect((await repo.get(id)).archivedAt).toBeNull();
  });

  it("stays when the location that was to follow it was archived", async () => {
    const { business } = await givenBusiness();
    const repo = locationRepo(core, business.id);
    const id = chance.newId("loc");
    await core.batch([repo.insert({ ...defaultLocation(business), id, isDefault: false }, 1)]);
    await core.batch([repo.archive(id, 2)]);
    await core.batch([repo.clearDefault({ inFavourOf: id }), repo.update(id, { isDefault: true })]);
    expect(await repo.list({ limit: 10, after: null })).toEqual(business.locations);
  });

  it.each([
    ["says that it is not", { name: "Osu II", isDefault: false }],
    ["says nothing of it", { name: "Osu II" }],
  ])("stays when a change of it, read before it became that, %s", async (_, changes) => {
    const shop = await givenBusiness();
    const ask = merchant(shop);
    const id = await added(ask);
    const late: Db = Object.create(core, {
      batch: {
        value: async (writes: Parameters<Db["batch"]>[0]) => {
          await ask("PATCH", `/locations/${id}`, { body: { is_default: true } });
          return core.batch(writes);
        },
      },
    });
    await updateLocation({ ...contextFor(shop), core: late }, { id, changes });
    const list = await ask("GET", "/locations");
    expect(at(list, "data.items.1")).toMatchObject({ id, name: "Osu II", is_default: true });
    expect(await defaultsOf(ask)).toEqual([id]);
  });
});

describe("every call of /locations", () => {
  it.each([
    ["GET", "", undefined],
    ["GET", "/loc_1", undefined],
    ["POST", "", { name: "A" }],
    ["PATCH", "/loc_1", { name: "A" }],
    ["DELETE", "/loc_1", undefined],
  ])(
    "%s refuses a foreign key (403), a publishable one (401) and one without the scope (403)",
    async (method, path, body) => {
      const shop = await givenBusiness();
      const { keys } = await givenBusiness();
      const narrow = await givenKey(shop, { scopes: ["orders:write"] });
      const statuses = await Promise.all(
        [keys.secret, shop.keys.publishable, narrow].map(async (secret) => {
          const ask = merchant({ ...shop, keys: { ...shop.keys, secret } });
          return (await ask(method, `/locations${path}`, body && { body })).status;
        }),
      );
      expect(statuses).toEqual([403, 401, 403]);
    },
  );
});
