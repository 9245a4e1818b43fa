import { describe, expect, it } from "vitest";
import { businessRoutes } from "../../sdk/src/generated/business.ts";
import { consoleRoutes } from "../../sdk/src/generated/console.ts";
import { linkRoutes } from "../../sdk/src/generated/link.ts";
import { operatorRoutes } from "../../sdk/src/generated/operator.ts";
import { storefrontRoutes } from "../../sdk/src/generated/storefront.ts";
import { webhookRoutes } from "../../sdk/src/generated/webhooks.ts";
import { createConsole } from "../../sdk/src/index.ts";
import type { RouteTable } from "../../sdk/src/runtime/methods.ts";
import { parseRoute } from "../../sdk/src/runtime/route.ts";
import { call, createBusiness } from "../support/world.ts";
import {
  createDeploymentOperator,
  createLinkCustomer,
  createMerchant,
  createShopper,
} from "./create-clients.ts";

type DocumentOperation = Readonly<{
  operationId: string;
  security: readonly Readonly<Record<string, unknown>>[];
  parameters?: readonly Readonly<{ name: string; in: string; schema: { type?: unknown } }>[];
  requestBody?: Readonly<{ content: object }>;
  "x-pagination"?: string;
  "x-websocket"?: unknown;
}>;

type Described = DocumentOperation & Readonly<{ api: string; route: string }>;

/** Providers call them, not clients. */
const providerWebhooks = ["receivePaystackWebhook", "receiveProviderWebhook"];
const sockets = ["connectConversation", "connectConversation"];

const apis = { storefront: "/api/v1", link: "/v1/link", business: "/v1/businesses" };

const operations = (
  await Promise.all(
    Object.entries(apis).map(async ([api, prefix]) => {
      const { body } = await call("GET", `${prefix}/openapi.json`);
      return Object.entries<Record<string, DocumentOperation>>(Object(body).paths).flatMap(
        ([path, methods]) =>
          Object.entries(methods).map(
            ([method, operation]): Described => ({
              ...operation,
              api,
              route: `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "{}")}`,
            }),
          ),
      );
    }),
  )
).flat();

const called = operations.filter(
  ({ operationId, "x-websocket": socket }) => !providerWebhooks.includes(operationId) && !socket,
);

const takes = ({ security }: DocumentOperation, ...credentials: string[]) =>
  security.some((alternative) => credentials.some((name) => name in alternative));

/** Which operations each client's table has. */
const tables = {
  storefront: {
    routes: storefrontRoutes,
    prefix: "/api/v1",
    has: (one: Described) => one.api === "storefront" && !takes(one, "secretKey"),
  },
  webhook: {
    routes: webhookRoutes,
    prefix: "/api/v1",
    has: (one: Described) => one.api === "storefront" && takes(one, "secretKey"),
  },
  link: { routes: linkRoutes, prefix: "/v1/link", has: (one: Described) => one.api === "link" },
  business: {
    routes: businessRoutes,
    prefix: "/v1/businesses/{}",
    has: (one: Described) => one.api === "business" && takes(one, "secretKey", "deployKey"),
  },
  console: {
    routes: consoleRoutes,
    prefix: "/v1/console",
    has: (one: Described) => one.route.includes(" /v1/console/"),
  },
  operator: {
    routes: operatorRoutes,
    prefix: "",
    has: (one: Described) => one.api === "business" && takes(one, "operatorToken"),
  },
} as const;

const entriesOf = (table: RouteTable) =>
  Object.entries(table).flatMap(([group, routes]) =>
    Object.entries(routes).map(([name, text]) => ({ at: `${group}.${name}`, text })),
  );

it("leaves out the provider's webhook and the sockets only", () => {
  const left = operations.filter((one) => !called.includes(one));
  expect(left.map(({ operationId }) => operationId).sort()).toEqual(
    [...providerWebhooks, ...sockets].sort(),
  );
  const unreachable = called.filter((one) => !Object.values(tables).some(({ has }) => has(one)));
  expect(unreachable).toEqual([]);
});

describe.each(Object.entries(tables))(
  "the routes of the client %s",
  (_, { routes, prefix, has }) => {
    const expected = called.filter(has);
    const entries = entriesOf(routes).map(({ at, text }) => {
      const route = parseRoute(text);
      return { at, ...route, route: `${route.method} ${prefix}${route.path}` };
    });

    it("are one for each operation, and no other", () => {
      const sorted = (list: readonly { route: string }[]) => list.map(({ route }) => route).sort();
      expect(sorted(entries)).toEqual(sorted(expected));
    });

    it("say what the document says about body, query, key, session and pages", () => {
      for (const { at, route, flags, queryNames } of entries) {
        const operation = expected.find((one) => one.route === route);
        if (operation === undefined) throw new Error(`${at} is no operation.`);
        expect({ at, ...factsOf(flags), queryNames }).toEqual({ at, ...describeFacts(operation) });
      }
    });

    it("have query parameters that text can say", () => {
      const parameters = expected.flatMap(({ parameters: all = [] }) =>
        all.filter((one) => one.in === "query"),
      );
      const types = parameters.map(({ schema: { type } }) => type);
      expect(types.filter((type) => /object|array/.test(String(type)))).toEqual([]);
    });
  },
);

const bodyKinds = ["body", "form", "csv", "ndjson"];
const pagingKinds = ["cursor", "headers", "offset", "page"];

function factsOf(flags: ReadonlySet<string>) {
  const of = (names: readonly string[]) => names.filter((name) => flags.has(name));
  const known = ["query", "key", "session", ...bodyKinds, ...pagingKinds];
  expect([...flags].filter((flag) => !known.includes(flag))).toEqual([]);
  const has = (name: string) => flags.has(name);
  return {
    ...{ query: has("query"), key: has("key"), session: has("session") },
    ...{ body: of(bodyKinds), paging: of(pagingKinds) },
  };
}

function describeFacts(operation: DocumentOperation) {
  const { parameters = [], requestBody, "x-pagination": pagination } = operation;
  const names = (place: string) =>
    parameters.filter((one) => one.in === place).map(({ name }) => name);
  const query = names("query");
  const types = Object.keys(requestBody?.content ?? {});
  const kind = types.includes("application/json")
    ? ["body"]
    : types.includes("application/x-ndjson")
      ? ["ndjson"]
      : types.includes("text/csv")
        ? ["csv"]
        : types.map(() => "form");
  const paging = pagination === "page" && query.includes("offset") ? "offset" : pagination;
  return {
    query: query.length > 0,
    key: names("header").includes("Idempotency-Key"),
    session: takes(operation, "sessionToken", "linkSession"),
    body: kind,
    paging: paging === undefined ? [] : [paging],
    // The client adds the bill token, and parts the fields of a body from those of the query.
    queryNames: query.filter((name) => kind.length > 0 || name === "token"),
  };
}

it("gives each client one method for each of its routes", async () => {
  const created = await createBusiness();
  const merchant = createMerchant(created);
  const clients: [object, RouteTable][] = [
    [createShopper(created), storefrontRoutes],
    [merchant, { ...businessRoutes, ...webhookRoutes }],
    [createLinkCustomer(created), linkRoutes],
    [createDeploymentOperator(), operatorRoutes],
    [createConsole({ baseUrl: "https://duka.test" }), consoleRoutes],
  ];
  const methodsOf = (client: object) =>
    Object.entries(client).flatMap(([group, methods]) =>
      Object.keys(methods).map((name) => `${group}.${name}`),
    );
  const connections = ["support.connect", "conversations.connect"];
  for (const [client, table] of clients) {
    const names = entriesOf(table).map(({ at }) => at);
    const methods = methodsOf(client).filter((name) => !connections.includes(name));
    expect(methods.sort()).toEqual(names.sort());
  }
});
