import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runtime } from "../../functions/runtime/runtime.ts";
import { defaultLocation, locationRepo, updateLocation } from "../../shared/businesses/index.ts";
import { createMeter, type Db, openDb } from "../../shared/database/index.ts";
import { createKey } from "../support/create-key.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { contextFor, createBusiness, merchant } from "../support/world.ts";

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

type MerchantClient = ReturnType<typeof merchant>;

const createLocation = async (ask: MerchantClient, body: Record<string, unknown> = osu) =>
  String(valueAt(await ask("POST", "/locations", { body }), "data.id"));

async function readDefaultIds(ask: MerchantClient): Promise<unknown[]> {
  const list = await ask("GET", "/locations");
  const items = valueAt(list, "data.items");
  return Array.isArray(items)
    ? items.filter(({ is_default }) => is_default).map(({ id }) => id)
    : [];
}

describe("POST /v1/businesses/{business_id}/locations", () => {
  it("adds a location with every field", async () => {
    const made = await merchant(await createBusiness())("POST", "/locations", { body: osu });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject(
      success({ ...osu, id: expect.stringMatching(/^loc_/), archived_at: null }),
    );
  });

  it("defaults to the business's timezone and accepts a single closed day", async () => {
    const body = { name: "Kiosk", closures: [{ date: "2027-01-01" }] };
    const made = await merchant(await createBusiness({ timezone: "Africa/Lagos" }))(
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

  it("becomes the default with is_default", async () => {
    const ask = merchant(await createBusiness());
    const id = await createLocation(ask, { name: "New default", is_default: true });
    expect(await readDefaultIds(ask)).toEqual([id]);
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
    const refused = await merchant(await createBusiness())("POST", "/locations", { body });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
  });

  it.each([
    [{ date: "2026-02-30" }, "must be {date} or {from, to}"],
    [{ from: "2026-12-26", to: "2026-12-25" }, "must not be before from"],
    [{}, "must be {date} or {from, to}"],
  ])("refuses %j as a closure", async (closure, message) => {
    const body = { name: "A", closures: [closure] };
    const refused = await merchant(await createBusiness())("POST", "/locations", { body });
    expect(refused.status).toBe(400);
    expect(String(valueAt(refused, "error.context.field"))).toMatch(/^closures\.0/);
    expect(valueAt(refused, "error.message")).toContain(message);
  });
});

describe("GET /v1/businesses/{business_id}/locations/{location_id}", () => {
  it("returns the created location", async () => {
    const ask = merchant(await createBusiness());
    const made = await ask("POST", "/locations", { body: osu });
    const path = `/locations/${valueAt(made, "data.id")}`;
    expect((await ask("GET", path)).body).toEqual(made.body);
    const changed = await ask("PATCH", path, { body: { name: "Osu II" } });
    expect((await ask("GET", path)).body).toEqual(changed.body);
  });

  it("returns 404 for another business's and for an archived location", async () => {
    const other = await createBusiness();
    const ask = merchant(await createBusiness());
    const archived = await createLocation(ask);
    await ask("DELETE", `/locations/${archived}`);
    for (const id of [other.business.locations[0]?.id, archived, "loc_unknown"]) {
      expect((await ask("GET", `/locations/${id}`)).status).toBe(404);
    }
  });
});

describe("PATCH /v1/businesses/{business_id}/locations/{location_id}", () => {
  it("changes only the fields that are sent", async () => {
    const ask = merchant(await createBusiness());
    const id = await createLocation(ask);
    const changed = await ask("PATCH", `/locations/${id}`, {
      body: { name: "Osu II", address: null },
    });
    expect(changed.body).toMatchObject(success({ ...osu, name: "Osu II", address: null }));
    const list = await ask("GET", "/locations");
    expect(valueAt(list, "data.items.1")).toMatchObject({ ...osu, name: "Osu II", address: null });
  });

  it("keeps the default when other fields change", async () => {
    const shop = await createBusiness();
    const ask = merchant(shop);
    const id = String(shop.business.locations[0]?.id);
    for (const body of [{ name: "Harbour" }, { operating_hours: osu.operating_hours }]) {
      const changed = await ask("PATCH", `/locations/${id}`, { body });
      expect(changed.body).toMatchObject(success({ ...body, is_default: true }));
      expect(await readDefaultIds(ask)).toEqual([id]);
    }
  });

  it("has exactly one default after concurrent switches", async () => {
    const ask = merchant(await createBusiness());
    const ids = [await createLocation(ask), await createLocation(ask)];
    const body = { is_default: true };
    const answers = await Promise.all(ids.map((id) => ask("PATCH", `/locations/${id}`, { body })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const defaults = await readDefaultIds(ask);
    expect(defaults).toHaveLength(1);
    expect(ids).toContain(defaults[0]);
  });

  it("refuses to unset the only default", async () => {
    const shop = await createBusiness();
    const ask = merchant(shop);
    const refused = await ask("PATCH", `/locations/${shop.business.locations[0]?.id}`, {
      body: { is_default: false },
    });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject(
      refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "INVALID_STATE" } }),
    );
  });

  it("returns 404 for another business's and for an archived location", async () => {
    const other = await createBusiness();
    const ask = merchant(await createBusiness());
    const archived = await createLocation(ask);
    await ask("DELETE", `/locations/${archived}`);
    for (const id of [other.business.locations[0]?.id, archived, "loc_unknown"]) {
      const refused = await ask("PATCH", `/locations/${id}`, {
        body: { name: "Mine", is_default: true },
      });
      expect(refused.status).toBe(404);
    }
    expect(await readDefaultIds(ask)).toHaveLength(1);
    expect(await readDefaultIds(merchant(other))).toEqual([other.business.locations[0]?.id]);
  });
});

describe("DELETE /v1/businesses/{business_id}/locations/{location_id}", () => {
  it("archives a location once", async () => {
    const ask = merchant(await createBusiness());
    const id = await createLocation(ask);
    const archived = await ask("DELETE", `/locations/${id}`);
    expect(archived.status).toBe(200);
    expect(archived.body).toMatchObject(
      success({ id, name: "Osu", archived_at: expect.any(String) }),
    );
    expect((await ask("DELETE", `/locations/${id}`)).body).toEqual(archived.body);
    expect(valueAt(await ask("GET", "/locations"), "data.items")).toHaveLength(1);
    expect((await ask("GET", `/audit?entity=${id}`)).body).toMatchObject(
      success({ items: [{ action: "location.archived" }, { action: "location.created" }] }),
    );
  });

  it("refuses to archive the default", async () => {
    const shop = await createBusiness();
    const ask = merchant(shop);
    const id = shop.business.locations[0]?.id;
    const refused = await ask("DELETE", `/locations/${id}`);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject(
      refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "INVALID_STATE" } }),
    );
    expect(await readDefaultIds(ask)).toEqual([id]);
    expect((await ask("GET", "/audit")).body).toMatchObject(success({ items: [] }));
  });
});

describe("concurrent changes of the default location", () => {
  const core = openDb(env.CORE, createMeter());

  it("do not archive a location that has become the default", async () => {
    const { business } = await createBusiness();
    const id = defaultLocation(business).id;
    const repo = locationRepo(core, business.id);
    await core.batch([repo.archive(id, 1)]);
    expect((await repo.get(id)).archivedAt).toBeNull();
  });

  it("keep the default when its replacement was archived", async () => {
    const { business } = await createBusiness();
    const repo = locationRepo(core, business.id);
    const id = runtime.newId("loc");
    await core.batch([repo.insert({ ...defaultLocation(business), id, isDefault: false }, 1)]);
    await core.batch([repo.archive(id, 2)]);
    await core.batch([
      repo.clearDefault({ replacementId: id }),
      repo.update(id, { isDefault: true }),
    ]);
    expect(await repo.list({ limit: 10, after: null })).toEqual(business.locations);
  });

  it.each([
    ["unsets is_default", { name: "Osu II", isDefault: false }],
    ["does not mention is_default", { name: "Osu II" }],
  ])("keep the default when an update based on an earlier read %s", async (_, changes) => {
    const shop = await createBusiness();
    const ask = merchant(shop);
    const id = await createLocation(ask);
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
    expect(valueAt(list, "data.items.1")).toMatchObject({ id, name: "Osu II", is_default: true });
    expect(await readDefaultIds(ask)).toEqual([id]);
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
      const shop = await createBusiness();
      const { keys } = await createBusiness();
      const narrow = await createKey(shop, { scopes: ["orders:write"] });
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
