import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { CreatedBusiness, KeyScope } from "../../shared/businesses/index.ts";
import { hasScope } from "../../shared/businesses/index.ts";
import { type Role, roles, scopesOfRole } from "../../shared/members/index.ts";
import { listOperations, type Operation } from "../http/operations.ts";
import { raiseRateLimits } from "../http/prepare-business.ts";
import { createMember, type LoggedInMember } from "../support/console.ts";
import { changeSettings } from "../support/settings.ts";
import {
  type ApiResponse,
  call,
  createBusiness,
  dataOf,
  merchant,
  roundTrips,
} from "../support/world.ts";

const evil = "https://evil.example";
const operations = (await listOperations()).filter(({ security }) =>
  security.some((way) => "consoleSession" in way && Object.keys(way).length === 1),
);
const scopeOf = ({ security }: Operation): KeyScope | null => {
  const [scope = null] = security.find((way) => "consoleSession" in way)?.consoleSession ?? [];
  return scope as KeyScope | null; // safe: the documents name scopes
};
const isOfBusiness = ({ path }: Operation) =>
  path.startsWith("/v1/businesses/{business_id}") || path.startsWith("/api/v1/webhooks");
const scopedOperations = operations.filter(
  (operation) => isOfBusiness(operation) && scopeOf(operation) !== null,
);

let shop: CreatedBusiness;
let other: LoggedInMember;
let members: Map<Role, LoggedInMember>;

beforeAll(async () => {
  shop = await createBusiness();
  await raiseRateLimits(shop);
  other = await createMember(await createBusiness(), "owner");
  members = new Map();
  for (const role of roles) members.set(role, await createMember(shop, role));
});

const memberOf = (role: Role): LoggedInMember => {
  const member = members.get(role);
  if (!member) throw new Error(`There is no ${role}.`);
  return member;
};

/** Sends the operation with ids that name no record, so that nothing is changed. */
const send = (
  operation: Operation,
  { cookie }: Pick<LoggedInMember, "cookie">,
  { origin = "https://duka.test", ...headers }: Record<string, string> & { origin?: string } = {},
) => {
  const path = operation.path
    .replace("{business_id}", shop.business.id)
    .replaceAll(/\{\w+\}/g, "unknown");
  return call(operation.method, path, {
    ...(operation.takesJson && { body: { unknown_field: true } }),
    headers: {
      Cookie: cookie,
      ...(origin !== "" && { Origin: origin }),
      ...(path.startsWith("/api/v1") && { "X-Business-Id": shop.business.id }),
      ...headers,
    },
  });
};

const isSocket = ({ path }: Operation) => path.endsWith("/ws");
const isWrite = (operation: Operation) => operation.method !== "GET" || isSocket(operation);

const messageOf = ({ body }: ApiResponse): string => Object(body).error?.message ?? "";

describe("every call of the business", () => {
  it("takes the cookie of a member whose role has the scope, and names a missing one", async () => {
    expect(scopedOperations.length).toBeGreaterThan(100);
    for (const operation of scopedOperations.filter((one) => !isSocket(one))) {
      const scope = scopeOf(operation);
      if (scope === null) continue;
      for (const role of ["catalogue", "orders", "viewer"] as const) {
        const answer = await send(operation, memberOf(role));
        if (hasScope(scopesOfRole(role), scope))
          expect([401, 403], `${operation.id} as ${role}`).not.toContain(answer.status);
        else
          expect([answer.status, messageOf(answer)], `${operation.id} as ${role}`).toEqual([
            403,
            `The role ${role} lacks the scope ${scope}.`,
          ]);
      }
    }
  });

  it("is 404 for a member of another business, like for an unknown business", async () => {
    for (const operation of scopedOperations.filter((one) => !isSocket(one)))
      expect((await send(operation, other)).status, operation.id).toBe(404);
    const unknown = await other.askAt("GET", "/v1/businesses/biz_unknown");
    const foreign = await other.askAt("GET", `/v1/businesses/${shop.business.id}`);
    expect(foreign.body).toEqual(unknown.body);
  });

  it("is 403 for a write without an Origin of this host", async () => {
    const writes = scopedOperations.filter((one) => isWrite(one) && !isSocket(one));
    for (const operation of writes)
      for (const origin of ["", "null", evil, "http://duka.test", "https://duka.test.evil.example"])
        expect(
          (await send(operation, memberOf("owner"), { origin })).status,
          `${operation.id} from ${origin}`,
        ).toBe(403);
  });
});

describe("the cookie", () => {
  const owner = () => memberOf("owner");
  const readProducts = (headers: Record<string, string>) =>
    call("GET", `/v1/businesses/${shop.business.id}/products`, { headers });

  it("opens the business itself to every role", async () => {
    for (const role of roles) expect((await memberOf(role).ask("GET", "")).status).toBe(200);
  });

  it("does not count beside a key or another credential", async () => {
    const { cookie } = owner();
    const { secret, publishable } = shop.keys;
    const foreign = (await createBusiness()).keys.secret;
    expect((await readProducts({ Cookie: cookie, "X-API-Key": secret })).status).toBe(200);
    const statuses = [
      (await readProducts({ Cookie: cookie, "X-API-Key": foreign })).status,
      (await readProducts({ Cookie: cookie, "X-API-Key": "nonsense" })).status,
      (await readProducts({ Cookie: cookie, "X-Public-Key": publishable })).status,
      (await readProducts({ Cookie: cookie, Authorization: "Bearer nonsense" })).status,
    ];
    expect(statuses).toEqual([403, 401, 401, 401]);
    const path = `/v1/businesses/${shop.business.id}/resources`;
    const body = { name: "Chair", capacity: 1 };
    const written = await call("POST", path, {
      body,
      headers: { Cookie: cookie, "X-API-Key": secret, Origin: evil },
    });
    expect(written.status, "a key needs no Origin").toBe(201);
  });

  it("lets pages of other hosts read nothing", async () => {
    const { cookie } = owner();
    for (const path of [`/v1/businesses/${shop.business.id}/products`, "/v1/console/me"]) {
      const answer = await call("GET", path, { headers: { Cookie: cookie, Origin: evil } });
      expect(answer.headers.get("access-control-allow-origin"), path).toBeNull();
    }
  });

  it("costs no round trip to a database while the isolate knows it", async () => {
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(Date.now());
    const { ask } = await createMember(shop, "owner");
    const cold = roundTrips(await ask("GET", "/products"));
    const warm = roundTrips(await ask("GET", "/products"));
    vi.setSystemTime(Date.now() + 6_000);
    const withKey = merchant(shop);
    const coldKey = roundTrips(await withKey("GET", "/products"));
    const warmKey = roundTrips(await withKey("GET", "/products"));
    expect([cold.d1, warm.d1]).toEqual([coldKey.d1, warmKey.d1]);
  });

  it("is limited per member like a secret key", async () => {
    onTestFinished(() => void vi.useRealTimers());
    const limited = await createBusiness();
    const [one, two] = [await createMember(limited, "owner"), await createMember(limited, "owner")];
    await changeSettings(limited, { rateLimits: { secretPerSecond: 3 } });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await one.ask("GET", "")).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await two.ask("GET", "")).status).toBe(200);
  });

  it("does not open a live business on a sandbox host", async () => {
    const live = await createBusiness({ mode: "live" });
    const { askAt } = await createMember(live, "owner");
    const path = `/v1/businesses/${live.business.id}`;
    expect((await askAt("GET", path)).status).toBe(200);
    expect((await askAt("GET", path, { host: "sandbox.duka.test" })).status).toBe(401);
  });

  it("reads but does not write a closed business", async () => {
    const closed = await createBusiness();
    const { ask } = await createMember(closed, "owner");
    await env.CORE.prepare("update businesses set closed_at = 1 where id = ?")
      .bind(closed.business.id)
      .run();
    expect((await ask("GET", "/orders")).status).toBe(200);
    expect(await ask("PATCH", "", { body: { name: "New" } })).toMatchObject({
      status: 403,
      body: { error: { context: { business_status: "closed" } } },
    });
  });

  it("needs X-Business-Id where the path names no business", async () => {
    const answer = await owner().askAt("GET", "/api/v1/webhooks");
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { context: { field: "X-Business-Id" } } },
    });
    const headers = { "X-Business-Id": shop.business.id };
    expect((await owner().askAt("GET", "/api/v1/webhooks", { headers })).status).toBe(200);
    const shopper = await owner().askAt("GET", "/api/v1/business", { headers });
    expect(shopper.status, "shoppers' calls take no cookie of a member").toBe(401);
  });

  it("replays a member's write, and keeps it from another member", async () => {
    const [one, two] = [memberOf("owner"), memberOf("manager")];
    const write = ({ ask }: LoggedInMember) =>
      ask("POST", "/resources", {
        body: { name: "Lamp", capacity: 1 },
        headers: { "Idempotency-Key": "member-write" },
      });
    const first = await write(one);
    const again = await write(one);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect(dataOf(await write(two)).id).not.toBe(dataOf(first).id);
  });

  it("creates keys only with scopes that the member holds", async () => {
    const create = (member: LoggedInMember) =>
      member.ask("POST", "/keys", { body: { kind: "secret", scopes: ["*"] } });
    expect((await create(memberOf("owner"))).status).toBe(201);
    expect((await create(memberOf("manager"))).status).toBe(403);
  });
});
