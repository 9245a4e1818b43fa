import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type CreatedBusiness, scopes } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { day, minute, second } from "../../shared/kernel/index.ts";
import { memberRepo, type roles, scopesOfRole } from "../../shared/members/index.ts";
import { withBindings } from "../support/bindings.ts";
import {
  consoleClient,
  cookieOf,
  createMember,
  type LoggedInMember,
  logInAt,
} from "../support/console.ts";
import { createKey } from "../support/create-key.ts";
import { findWaitingMessage } from "../support/sealed-messages.ts";
import { call, createBusiness, dataOf, merchant, operator, roundTrips } from "../support/world.ts";

let shop: CreatedBusiness;
let owner: LoggedInMember;

beforeAll(async () => {
  shop = await createBusiness();
  owner = await createMember(shop, "owner");
});

const mePath = "/v1/console/me";
const invite = (body: object, { ask } = owner) => ask("POST", "/members", { body });
const idOf = async (email: string) =>
  dataOf(await owner.ask("GET", "/members")).items.find(
    (member: { email: string }) => member.email === email,
  ).id;

describe("roles", () => {
  it("have the scopes of the contract", () => {
    const named = (role: (typeof roles)[number]) => [...scopesOfRole(role)].toSorted();
    const both = (...areas: string[]) => areas.flatMap((area) => [`${area}:read`, `${area}:write`]);
    expect(named("owner")).toEqual([...scopes].toSorted());
    expect(named("manager")).toEqual(
      both(
        "catalogue",
        "customers",
        "inventory",
        "messages",
        "orders",
        "payments",
        "settings",
        "support",
        "webhooks",
      ),
    );
    expect(named("catalogue")).toEqual(both("catalogue", "inventory"));
    expect(named("orders")).toEqual(
      [
        "catalogue:read",
        "inventory:read",
        ...both("customers", "orders", "payments", "support"),
      ].toSorted(),
    );
    expect(named("viewer")).toEqual(
      named("manager").filter((scope: string) => scope.endsWith(":read")),
    );
  });
});

describe("an invitation", () => {
  it("goes out by e-mail and is accepted by logging in with the address", async () => {
    const body = { email: "New.Person@Example.com", name: "Ama", role: "orders" };
    const invited = await owner.ask("POST", "/members", { body });
    const email = "new.person@example.com";
    expect(invited).toMatchObject({
      status: 201,
      body: { data: { email, name: "Ama", role: "orders", status: "invited", user_id: null } },
    });
    expect(await findWaitingMessage(email)).toMatchObject({
      ...{ type: "invitation", businessId: shop.business.id, role: "orders" },
      consoleUrl: "https://duka.test/console",
    });
    const login = await logInAt(email);
    expect(dataOf(login)).toMatchObject({
      user: { email, name: "Ama" },
      memberships: [
        {
          business_id: shop.business.id,
          business_name: "Test shop",
          business_status: "active",
          mode: "test",
          currency: "GHS",
          timezone: "Africa/Accra",
          role: "orders",
          scopes: [...scopesOfRole("orders")],
          locations: [{ id: shop.business.locations[0]?.id }],
        },
      ],
    });
    const [member] = dataOf(await owner.ask("GET", "/members")).items;
    expect(member).toMatchObject({
      status: "active",
      user_id: dataOf(login).user.id,
      accepted_at: expect.any(String),
    });
  });

  it("answers the same record to a repeat, and changes nothing of it", async () => {
    const body = { email: "twice@example.com", role: "viewer" };
    const first = dataOf(await invite(body));
    const [again, other] = await Promise.all([invite(body), invite({ ...body, role: "manager" })]);
    expect(dataOf(again)).toEqual(first);
    expect(dataOf(other)).toEqual(first);
    await logInAt(body.email);
    expect(dataOf(await invite(body))).toMatchObject({ id: first.id, status: "active" });
  });

  it("can be read, and written back with another role", async () => {
    const body = { email: "written-back@example.com", name: "Ama", role: "viewer" };
    const { id } = dataOf(await invite(body));
    const path = `/members/${id}`;
    const read = dataOf(await owner.ask("GET", path));
    expect(read).toMatchObject({ id, ...body });
    const answer = await owner.ask("PATCH", path, { body: { ...read, role: "orders" } });
    expect(answer).toMatchObject({ status: 200, body: { data: { id, role: "orders" } } });
    const renamed = await owner.ask("PATCH", path, { body: { ...read, email: "b@example.com" } });
    expect(renamed).toMatchObject({
      status: 400,
      body: { error: { context: { field: "email" } } },
    });
  });

  it("makes one record when several come at once", async () => {
    const body = { email: "at-once@example.com", role: "viewer" };
    const answers = await Promise.all([invite(body), invite(body), invite(body)]);
    expect(new Set(answers.map((answer) => dataOf(answer).id)).size).toBe(1);
  });

  it("goes out at most five times an hour", async () => {
    const body = { email: "flooded@example.com", role: "viewer" };
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await invite(body)).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });

  it("ends after 7 days, unless it is repeated", async () => {
    onTestFinished(() => void vi.useRealTimers());
    const [late, renewed] = ["late@example.com", "renewed@example.com"];
    const { keys, business } = shop;
    const ask = merchant({ keys, business });
    for (const email of [late, renewed])
      await ask("POST", "/members", { body: { email, role: "viewer" } });
    vi.setSystemTime(Date.now() + 6 * day);
    await ask("POST", "/members", { body: { email: renewed, role: "viewer" } });
    vi.setSystemTime(Date.now() + day + minute);
    expect(dataOf(await logInAt(late)).memberships).toEqual([]);
    expect(dataOf(await logInAt(renewed)).memberships).toHaveLength(1);
  });

  it("can be withdrawn, and cannot be accepted then", async () => {
    const email = "withdrawn@example.com";
    const { id } = dataOf(await invite({ email, role: "owner" }));
    expect((await owner.ask("DELETE", `/members/${id}`)).status).toBe(200);
    expect(dataOf(await logInAt(email)).memberships).toEqual([]);
  });

  it("is only accepted by its own address", async () => {
    await invite({ email: "invited+tag@example.com", role: "manager" });
    for (const email of ["invited@example.com", "invited+tag@example.org"])
      expect(dataOf(await logInAt(email)).memberships, email).toEqual([]);
  });

  it("is 503 while no provider sends e-mail, and 400 for what is no address", async () => {
    const fetch = withBindings({ EMAIL_PROVIDER: undefined, CONSOLE_TEST_CODES: "false" });
    const body = { email: "unreachable@example.com", role: "viewer" };
    expect((await owner.ask("POST", "/members", { body, fetch })).status).toBe(503);
    expect(await invite({ email: "nobody", role: "viewer" })).toMatchObject({
      status: 400,
      body: { error: { context: { field: "email" } } },
    });
    expect((await invite({ email: "a@example.com", role: "king" })).status).toBe(400);
  });

  it("names the first owner of a new business, whose invitation does not end", async () => {
    onTestFinished(() => void vi.useRealTimers());
    const body = {
      name: "Owned",
      mode: "live",
      currency: "GHS",
      default_country: "GH",
      timezone: "Africa/Accra",
      owner_email: "Owner-of-new@example.com",
    };
    const created = dataOf(await operator("POST", "/v1/businesses", { body }));
    vi.setSystemTime(Date.now() + 30 * day);
    const login = await logInAt("owner-of-new@example.com");
    expect(dataOf(login).memberships).toMatchObject([
      { business_id: created.business.id, role: "owner", mode: "live" },
    ]);
    const ask = consoleClient(cookieOf(login) ?? "");
    const path = `/v1/businesses/${created.business.id}`;
    expect((await ask("PATCH", path, { body: { name: "Renamed" } })).status).toBe(200);
    const other = { email: "other@example.com", role: "viewer" };
    const byOperator = await operator("POST", `${path}/members`, { body: other });
    expect(byOperator.status, "the operator's way in").toBe(201);
  });
});

describe("the last owner", () => {
  it("is neither demoted nor removed, and an invited owner does not count", async () => {
    const { business, keys } = await createBusiness();
    const only = await createMember({ business }, "owner");
    await invite({ email: "invited-owner@example.com", role: "owner" }, only);
    const path = `/members/${only.id}`;
    const lastOwner = {
      status: 422,
      body: { error: { context: { rule: "LAST_OWNER" } } },
    };
    expect(await only.ask("PATCH", path, { body: { role: "manager" } })).toMatchObject(lastOwner);
    expect(await only.ask("DELETE", path)).toMatchObject(lastOwner);
    expect(await merchant({ business, keys })("DELETE", path)).toMatchObject(lastOwner);
    expect(await only.askAt("DELETE", mePath)).toMatchObject(lastOwner);
    const second = await createMember({ business }, "owner");
    expect((await only.ask("PATCH", path, { body: { role: "manager" } })).status).toBe(200);
    expect(await second.ask("DELETE", `/members/${second.id}`)).toMatchObject(lastOwner);
  });

  it("remains when two owners are removed and demoted at once", async () => {
    const business = await createBusiness();
    const [one, other] = [
      await createMember(business, "owner"),
      await createMember(business, "owner"),
    ];
    const ask = merchant(business);
    const answers = await Promise.all([
      ask("DELETE", `/members/${other.id}`),
      ask("PATCH", `/members/${one.id}`, { body: { role: "viewer" } }),
    ]);
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses[0]).toBe(200);
    expect(statuses[1]).toBeOneOf([409, 422]);
    const left = await env.CORE.prepare(
      "select count(*) as count from members where business_id = ? and role = 'owner'",
    )
      .bind(business.business.id)
      .first<number>("count");
    expect(left).toBe(1);
  });
});

it("keeps the last owner when the other one left after the check", async () => {
  const { business } = await createBusiness();
  const [one, other] = [
    await createMember({ business }, "owner"),
    await createMember({ business }, "owner"),
  ];
  const repo = memberRepo(openDb(env.CORE, createMeter()), business.id);
  const { member, hasOtherOwner } = await repo.getBesideOwner(one.id);
  expect(hasOtherOwner).toBe(true);
  await env.CORE.prepare("delete from members where id = ?").bind(other.id).run();
  expect(await repo.updateRole(member, "viewer", { mustLeaveOwner: true })).toEqual([]);
  expect(await repo.delete(member, { mustLeaveOwner: true })).toEqual([]);
});

describe("nobody gives or takes more than they hold", () => {
  it("a key with members:write makes and removes no owner", async () => {
    const key = await createKey(shop, { scopes: ["members:read", "members:write"] });
    const ask = (method: string, path: string, body?: object) =>
      call(method, `/v1/businesses/${shop.business.id}${path}`, {
        headers: { "X-API-Key": key },
        ...(body && { body }),
      });
    const body = { email: "escalated@example.com", role: "owner" };
    for (const answer of [
      await ask("POST", "/members", body),
      await ask("PATCH", `/members/${owner.id}`, { role: "viewer" }),
      await ask("DELETE", `/members/${owner.id}`),
    ])
      expect(answer).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } });
  });

  it("a key changes only roles that it holds to roles that it holds", async () => {
    const held = [...scopesOfRole("viewer"), "members:write"] as const;
    const key = await createKey(shop, { scopes: held });
    const { id } = await createMember(shop, "viewer");
    const change = (role: string) =>
      call("PATCH", `/v1/businesses/${shop.business.id}/members/${id}`, {
        headers: { "X-API-Key": key },
        body: { role },
      });
    expect((await change("viewer")).status).toBe(200);
    for (const role of ["owner", "orders"]) expect((await change(role)).status, role).toBe(403);
  });

  it("a member cannot change their own role to a higher one", async () => {
    for (const role of ["manager", "catalogue", "orders", "viewer"] as const) {
      const member = await createMember(shop, role);
      const answer = await member.ask("PATCH", `/members/${member.id}`, {
        body: { role: "owner" },
      });
      expect(answer, role).toMatchObject({
        status: 403,
        body: { error: { message: `The role ${role} lacks the scope members:write.` } },
      });
    }
  });

  it("an owner of another business does not find the member", async () => {
    const foreigner = await createMember(await createBusiness(), "owner");
    for (const [method, body] of [["PATCH", { role: "viewer" }], ["DELETE"]] as const) {
      const options = body && { body };
      expect((await foreigner.ask(method, `/members/${owner.id}`, options)).status).toBe(404);
      const path = `/v1/businesses/${shop.business.id}/members/${owner.id}`;
      expect((await foreigner.askAt(method, path, options)).status).toBe(404);
    }
  });
});

describe("a removed or changed member", () => {
  it("loses access within 10 seconds, and the login when nothing is left of it", async () => {
    onTestFinished(() => void vi.useRealTimers());
    const member = await createMember(shop, "catalogue");
    const body = { name: "Tea", default_price: "1" };
    expect((await member.ask("POST", "/products", { body })).status).toBe(201);
    await owner.ask("PATCH", `/members/${member.id}`, { body: { role: "viewer" } });
    vi.setSystemTime(Date.now() + 10 * second);
    expect((await member.ask("POST", "/products", { body })).status).toBe(403);
    expect((await member.ask("GET", "/orders")).status).toBe(200);
    await owner.ask("DELETE", `/members/${member.id}`);
    vi.setSystemTime(Date.now() + 10 * second);
    expect((await member.ask("GET", "/orders")).status).toBe(401);
    expect((await member.askAt("GET", mePath)).status).toBe(401);
    for (const table of ["users", "members", "console_sessions"]) {
      const column = table === "users" ? "id" : "user_id";
      const rows = await env.CORE.prepare(`select * from ${table} where ${column} = ?`)
        .bind(member.userId)
        .all();
      expect(rows.results, table).toEqual([]);
    }
  });

  it("keeps a login with which they work for another business", async () => {
    onTestFinished(() => void vi.useRealTimers());
    const other = await createBusiness();
    const second = await createMember(other, "owner");
    await invite({ email: second.email, role: "viewer" });
    const cookie = cookieOf(await logInAt(second.email)) ?? "";
    const memberId = await idOf(second.email);
    expect((await owner.ask("DELETE", `/members/${memberId}`)).status).toBe(200);
    vi.setSystemTime(Date.now() + 10 * 1_000);
    const ask = consoleClient(cookie);
    expect((await ask("GET", `/v1/businesses/${shop.business.id}`)).status).toBe(404);
    expect((await ask("GET", `/v1/businesses/${other.business.id}`)).status).toBe(200);
  });

  it("may delete the login with everything that belongs to it", async () => {
    const member = await createMember(shop, "viewer");
    expect((await member.askAt("DELETE", mePath)).status).toBe(200);
    const left = await env.CORE.prepare("select * from users where id = ?")
      .bind(member.userId)
      .all();
    expect(left.results).toEqual([]);
    expect((await member.askAt("GET", mePath)).status).toBe(401);
  });
});

describe("the audit trail", () => {
  it("names the member, with the e-mail address for those who may read members", async () => {
    const manager = await createMember(shop, "manager");
    await manager.ask("POST", "/resources", { body: { name: "Table", capacity: 2 } });
    const filter = `/audit?actor=${manager.userId}`;
    const readEntries = async ({ ask }: Pick<LoggedInMember, "ask">) => {
      const answer = await ask("GET", filter);
      expect(roundTrips(answer).d1).toBeLessThanOrEqual(3);
      return dataOf(answer).items;
    };
    const entry = { actor: manager.userId, action: "resource.created" };
    expect(await readEntries(owner)).toMatchObject([{ ...entry, actor_email: manager.email }]);
    expect(await readEntries(manager)).toMatchObject([{ ...entry, actor_email: null }]);
    await owner.ask("DELETE", `/members/${manager.id}`);
    expect(await readEntries(owner)).toMatchObject([{ ...entry, actor_email: null }]);
  });

  it("holds no address of a person", async () => {
    const { email, id } = dataOf(await invite({ email: "unseen@example.com", role: "viewer" }));
    await owner.ask("DELETE", `/members/${id}`);
    const { items } = dataOf(await owner.ask("GET", `/audit?entity=${id}`));
    expect(items.map(({ action }: { action: string }) => action)).toEqual([
      "member.removed",
      "member.invited",
    ]);
    for (const { before, after } of items)
      expect(JSON.stringify([before, after])).not.toContain(email);
  });
});
