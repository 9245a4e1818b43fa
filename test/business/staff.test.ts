import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createKey } from "../support/create-key.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { countBusinessRows, listAuditActions } from "../support/row-counts.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  type CallOptions,
  createBusiness,
  createBusinessOnSameShard,
  merchant,
  roundTrips,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = merchant(shop);
});

type RecordKind = Readonly<{
  path: string;
  action: string;
  prefix: RegExp;
  fields: object;
  shown: object;
  /** The response for a record created with only a name. */
  least: object;
  bad: readonly (readonly [field: string, fields: object])[];
}>;

const mornings = { mon: [{ open: "09:00", close: "12:00" }] };

const kinds: readonly RecordKind[] = [
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
      ["capacity", { name: "Room", capacity: 100_001 }],
    ],
  },
];

describe.each(kinds)("$path", ({ path, action, prefix, fields, shown, least, bad }) => {
  const createRecord = async (body: object = fields, options: CallOptions = {}) =>
    ask("POST", path, { body, ...options });

  it("creates, reads, updates and archives with one audit entry each", async () => {
    const made = await createRecord();
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body).toMatchObject(
      success({ id: expect.stringMatching(prefix), ...shown, archived_at: null }),
    );
    const one = `${path}/${valueAt(made, "data.id")}`;
    const read = await ask("GET", one);
    expect([read.body, roundTrips(read).d1]).toEqual([made.body, 1]);
    const changed = await ask("PATCH", one, { body: { name: "Other" } });
    expect(changed.body).toMatchObject(success({ ...shown, name: "Other" }));
    expect(roundTrips(changed).d1).toBe(2);
    const archived = await ask("DELETE", one);
    expect(valueAt(archived, "data.archived_at")).toEqual(expect.any(String));
    expect((await ask("DELETE", one)).body).toEqual(archived.body);
    for (const [method, options] of [["GET"], ["PATCH", { body: { name: "No" } }]] as const)
      expect((await ask(method, one, options)).body).toMatchObject(refusal("NOT_FOUND"));
    expect(await listAuditActions(shop)).toEqual([
      `${action}.created`,
      `${action}.updated`,
      `${action}.archived`,
    ]);
    expect(await countBusinessRows(shop)).toMatchObject({ version: 3 });
  });

  it("requires only a name", async () => {
    expect((await createRecord({ name: "Ann" })).body).toMatchObject(success(least));
  });

  it("creates once per Idempotency-Key", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const [first, second] = [
      await createRecord(fields, { headers }),
      await createRecord(fields, { headers }),
    ];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(valueAt(await ask("GET", path), "data.items")).toHaveLength(1);
  });

  it("applies concurrent changes one after the other", async () => {
    const one = `${path}/${valueAt(await createRecord(), "data.id")}`;
    const names = ["A", "B", "C", "D"];
    const answers = await Promise.all(names.map((name) => ask("PATCH", one, { body: { name } })));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const entries = await selectRows(
      shop,
      "select before ->> '$.name' as was, after ->> '$.name' as became from audit_entries where business_id = ? order by id",
      shop.business.id,
    );
    expect(new Set(entries.map(({ was }) => was)).size).toBe(5);
  });

  it.each([...bad])("names an invalid %s and writes nothing", async (field, body) => {
    expect((await createRecord(body)).body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field } }),
    );
    expect(await countBusinessRows(shop)).toMatchObject({ version: 0, audit_entries: 0 });
  });

  it("lists oldest first in pages", async () => {
    for (const name of ["A", "B", "C"]) await createRecord({ name });
    const first = await ask("GET", `${path}?limit=2`);
    expect(first.body).toMatchObject(success({ items: [{ name: "A" }, { name: "B" }] }));
    const cursor = encodeURIComponent(String(valueAt(first, "data.pagination.next_cursor")));
    const second = await ask("GET", `${path}?limit=2&cursor=${cursor}`);
    expect(second.body).toMatchObject(
      success({ items: [{ name: "C" }], pagination: { has_more: false } }),
    );
  });

  it("returns 404 to another business and 403 without the scope", async () => {
    const id = valueAt(await createRecord(), "data.id");
    const other = merchant(await createBusinessOnSameShard(shop));
    for (const method of ["GET", "DELETE"])
      expect((await other(method, `${path}/${id}`)).status).toBe(404);
    expect((await other("PATCH", `${path}/${id}`, { body: { name: "Mine" } })).status).toBe(404);
    const key = await createKey(shop, { scopes: ["orders:write"] });
    expect((await createRecord(fields, { headers: { "X-API-Key": key } })).status).toBe(403);
  });
});

describe("staff_ids and resource_ids of a service", () => {
  const massage = { name: "Massage", default_price: "80", duration_minutes: 60 };
  const idOf = async (path: string, body: object) =>
    String(valueAt(await ask("POST", path, { body }), "data.id"));

  it("keep the order of the request and omit duplicates", async () => {
    const [ann, ben] = [
      await idOf("/staff", { name: "Ann" }),
      await idOf("/staff", { name: "Ben" }),
    ];
    const room = await idOf("/resources", { name: "Room", capacity: 2 });
    const made = await ask("POST", "/services", {
      body: { ...massage, staff_ids: [ben, ann, ben], resource_ids: [room] },
    });
    const expectedResources = {
      staff: [
        { id: ben, name: "Ben" },
        { id: ann, name: "Ann" },
      ],
      resources: [{ id: room, name: "Room", capacity: 2 }],
    };
    expect(made.body).toMatchObject(success(expectedResources));
    const one = `/services/${valueAt(made, "data.id")}`;
    expect((await ask("GET", one)).body).toMatchObject(success(expectedResources));
    expect(valueAt(await ask("GET", "/services"), "data.items.0")).toMatchObject(expectedResources);
    const renamed = await ask("PATCH", one, { body: { name: "Rub" } });
    expect([valueAt(renamed, "data.staff"), roundTrips(renamed).d1]).toEqual([
      expectedResources.staff,
      2,
    ]);
    await ask("DELETE", `/staff/${ben}`);
    expect(valueAt(await ask("GET", one), "data.staff")).toEqual([{ id: ann, name: "Ann" }]);
    const cleared = await ask("PATCH", one, { body: { staff_ids: [], resource_ids: [] } });
    expect(cleared.body).toMatchObject(success({ staff: [], resources: [] }));
    const archived = await ask("DELETE", one);
    expect(archived.body).toMatchObject(success({ staff: [], resources: [] }));
  });

  it("must belong to the business and not be archived", async () => {
    const neighbour = merchant(await createBusinessOnSameShard(shop));
    const theirs = valueAt(await neighbour("POST", "/staff", { body: { name: "Eve" } }), "data.id");
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
      const changed = await ask("PATCH", `/services/${valueAt(made, "data.id")}`, { body });
      expect(changed.body).toMatchObject(refused);
    }
  });
});
