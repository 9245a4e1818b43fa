import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { rowsOf } from "../support/shop-database.ts";
import { auditedActions, tracesOf } from "../support/traces.ts";
import { type CallOptions, givenBusiness, merchant, roundTrips } from "../support/world.ts";
import { at, givenKey, refusal, success } from "./given.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = merchant(shop);
});

type Kind = Readonly<{
  path: string;
  action: string;
  prefix: RegExp;
  fields: object;
  shown: object;
  /** What one that has a name alone is. */
  least: object;
  bad: readonly (readonly [field: string, fields: object])[];
}>;

const mornings = { mon: [{ open: "09:00", close: "12:00" }] };

const kinds: readonly Kind[] = [
  {
    path: "/staff",
    action: "staff_member",
    prefix: /^stf_/,
    fields: { name: "Ann", hours: mornings, time_off: [{ date: "2027-01-04", reason: "Leave" }] },
    shown: {
      name: "Ann",
      hours: mornings,
      time_off: [{ from: "2027-01-04", to: "2027-01-04", reason: "Leave" }],
    },
    least: { name: "Ann", hours: null, time_off: [] },
    bad: [
      ["name", { name: " " }],
      ["hours.mon.0.close", { name: "Ann", hours: { mon: [{ open: "09:00", close: "09:00" }] } }],
      ["time_off.0.to", { name: "Ann", time_off: [{ from: "2027-01-04", to: "2027-01-03" }] }],
    ],
  },
  {
    path: "/resources",
    action: "resource",
    prefix: /^res_/,
    fields: { name: "Room", capacity: 4 },
    shown: { name: "Room", capacity: 4 },
    least: { name: "Ann", capacity: 1 },
    bad: [
      ["name", { name: "" }],
      ["capacity", { name: "Room", capacity: 0 }],
    ],
  },
];

describe.each(kinds)("$path", ({ path, action, prefix, fields, shown, least, bad }) => {
  const make = async (body: object = fields, options: CallOptions = {}) =>
    ask("POST", path, { body, ...options });

  it("is made, read, changed and archived, each once in the audit", async () => {
    const made = await make();
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body).toMatchObject(
      success({ id: expect.stringMatching(prefix), ...shown, archived_at: null }),
    );
    const one = `${path}/${at(made, "data.id")}`;
    const read = await ask("GET", one);
    expect([read.body, roundTrips(read).d1]).toEqual([made.body, 1]);
    const changed = await ask("PATCH", one, { body: { name: "Other" } });
    expect(changed.body).toMatchObject(success({ ...shown, name: "Other" }));
    expect(roundTrips(changed).d1).toBe(2);
    const archived = await ask("DELETE", one);
    expect(at(archived, "data.archived_at")).toEqual(expect.any(String));
    expect((await ask("DELETE", one)).body).toEqual(archived.body);
    for (const [method, options] of [["GET"], ["PATCH", { body: { name: "No" } }]] as const)
      expect((await ask(method, one, options)).body).toMatchObject(refusal("NOT_FOUND"));
    expect(await auditedActions(shop)).toEqual([
      `${action}.created`,
      `${action}.updated`,
      `${action}.archived`,
    ]);
    expect(await tracesOf(shop)).toMatchObject({ version: 3 });
  });

  it("needs a name alone", async () => {
    expect((await make({ name: "Ann" })).body).toMatchObject(success(least));
  });

  it("is made once for an Idempotency-Key", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const [first, second] = [await make(fields, { headers }), await make(fields, { headers })];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(at(await ask("GET", path), "data.items")).toHaveLength(1);
  });

  it("keeps both of two changes at once", async () => {
    const one = `${path}/${at(await make(), "data.id")}`;
    const names = ["A", "B", "C", "D"];
    const answers = await Promise.all(names.map((name) => ask("PATCH", one, { body: { name } })));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const entries = await rowsOf(
      shop,
      "select before ->> '$.name' as was, after ->> '$.name' as became from audit_entries where business_id = ? order by id",
      shop.business.id,
    );
    expect(new Set(entries.map(({ was }) => was)).size).toBe(5);
  });

  it.each([...bad])("refuses a bad %s by name and leaves no trace", async (field, body) => {
    expect((await make(body)).body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field } }),
    );
    expect(await tracesOf(shop)).toMatchObject({ version: 0, audit_entries: 0 });
  });

  it("is listed as it was added, page by page", async () => {
    for (const name of ["A", "B", "C"]) await make({ name });
    const first = await ask("GET", `${path}?limit=2`);
    expect(first.body).toMatchObject(success({ items: [{ name: "A" }, { name: "B" }] }));
    const cursor = encodeURIComponent(String(at(first, "data.pagination.next_cursor")));
    const second = await ask("GET", `${path}?limit=2&cursor=${cursor}`);
    expect(second.body).toMatchObject(
      success({ items: [{ name: "C" }], pagination: { has_more: false } }),
    );
  });

  it("is another's as if it were not there, and needs the scope", async () => {
    const id = at(await make(), "data.id");
    const other = merchant(await givenNeighbour(shop));
    for (const method of ["GET", "DELETE"])
      expect((await other(method, `${path}/${id}`)).status).toBe(404);
    expect((await other("PATCH", `${path}/${id}`, { body: { name: "Mine" } })).status).toBe(404);
    const key = await givenKey(shop, { scopes: ["orders:write"] });
    expect((await make(fields, { headers: { "X-API-Key": key } })).status).toBe(403);
  });
});

describe("staff_ids and resource_ids of a service", () => {
  const massage = { name: "Massage", default_price: "80", duration_minutes: 60 };
  const idOf = async (path: string, body: object) =>
    String(at(await ask("POST", path, { body }), "data.id"));

  it("name who gives it and what it takes places of, in their order and once each", async () => {
    const [ann, ben] = [
      await idOf("/staff", { name: "Ann" }),
      await idOf("/staff", { name: "Ben" }),
    ];
    const room = await idOf("/resources", { name: "Room", capacity: 2 });
    const made = await ask("POST", "/services", {
      body: { ...massage, staff_ids: [ben, ann, ben], resource_ids: [room] },
    });
    const means = {
      staff: [
        { id: ben, name: "Ben" },
        { id: ann, name: "Ann" },
      ],
      resources: [{ id: room, name: "Room", capacity: 2 }],
    };
    expect(made.body).toMatchObject(success(means));
    const one = `/services/${at(made, "data.id")}`;
    expect((await ask("GET", one)).body).toMatchObject(success(means));
    expect(at(await ask("GET", "/services"), "data.items.0")).toMatchObject(means);
    const renamed = await ask("PATCH", one, { body: { name: "Rub" } });
    expect([at(renamed, "data.staff"), roundTrips(renamed).d1]).toEqual([means.staff, 2]);
    await ask("DELETE", `/staff/${ben}`);
    expect(at(await ask("GET", one), "data.staff")).toEqual([{ id: ann, name: "Ann" }]);
    const cleared = await ask("PATCH", one, { body: { staff_ids: [], resource_ids: [] } });
    expect(cleared.body).toMatchObject(success({ staff: [], resources: [] }));
    const archived = await ask("DELETE", one);
    expect(archived.body).toMatchObject(success({ staff: [], resources: [] }));
  });

  it("must be of the business, and not archived", async () => {
    const neighbour = merchant(await givenNeighbour(shop));
    const theirs = at(await neighbour("POST", "/staff", { body: { name: "Eve" } }), "data.id");
    const gone = await idOf("/resources", { name: "Gone" });
    await ask("DELETE", `/resources/${gone}`);
    const made = await ask("POST", "/services", { body: massage });
    for (const [field, body] of [
      ["staff_ids.0", { staff_ids: [theirs] }],
      ["resource_ids.0", { resource_ids: [gone] }],
    ] as const) {
      const refused = refusal("VALIDATION_ERROR", { context: { field } });
      const created = await ask("POST", "/services", { body: { ...massage, ...body } });
      expect(created.body).toMatchObject(refused);
      const changed = await ask("PATCH", `/services/${at(made, "data.id")}`, { body });
      expect(changed.body).toMatchObject(refused);
    }
  });
});
