import { deepRequestsOf, type FuzzedRequest } from "../fuzz/requests.ts";
import { idOf } from "../fuzz/tokens.ts";
import type { Operation } from "../operations.ts";

/** A request to an operation, and what of its query tells it from the operation's others. */
export type Shape = Readonly<{ name: string; request: FuzzedRequest }>;

type Query = Readonly<Record<string, string>>;
type Parameter = Operation["parameters"][number];

/** Fewer than even the small business has of whatever is listed, so that a page is full in both. */
const pageSize = "10";

/** What a list is asked with; the parameters that a schema gives the values of need none here. */
const values: Readonly<Record<string, readonly string[]>> = {
  search: ["tea"],
  tags: ["hot"],
  taxonomy_id: ["none"],
  properties: ['{"colour":"red"}'],
  min_price: ["9"],
  max_price: ["9"],
  order_value: ["100"],
  quantity: ["2"],
  participant_count: ["2"],
  duration_minutes: ["60"],
  page: ["2"],
  offset: ["10"],
  from: ["2030-06-01T00:00:00Z"], // in the year before the worlds' time
  to: ["2099-01-01T00:00:00Z"],
  folder: ["img"],
  mime_prefix: ["image/", "video/"],
  entity: [idOf("product_id")],
  actor: [idOf("key_id")],
  customer: [idOf("customer_id")],
  category_id: [idOf("category_id")],
  category_slug: [idOf("category_slug")],
  customer_id: [idOf("customer_id")],
  location_id: [idOf("location_id")],
  product_id: [idOf("product_id")],
  service_id: [idOf("service_id")],
  staff_id: [idOf("staff_id")],
  variant_id: [idOf("service_variant_id")],
};

/** Given to every list; followed from page to page; or what an object of a session reads, and a frame. */
const notAsked: readonly string[] = ["limit", "cursor", "after", "token", "public_key", "origin"];

/** With one of each kind of filter a list has a plan of its own for an order of its own. */
const differing: readonly Query[] = [
  { tags: "hot" }, // a facet, as most are
  { category_id: idOf("category_id") }, // several
  { featured: "false" }, // none
  { in_stock: "true" },
  { min_price: "9" },
  { search: "tea" },
  { location_id: idOf("location_id") },
];

/** Filters that each have an index, and no index together. */
const together: readonly Query[] = ["requires_action", "captured"].map((status) => ({
  status: "pending",
  payment_status: status,
}));

/** What no table of identifiers has, and a change does more for. */
const furtherBodies: Readonly<Record<string, readonly object[]>> = {
  "PATCH /v1/businesses/{business_id}/collections/{collection_id}": [
    { rule: { tags: ["hot"] } },
    { rule: { tags: ["hot", "cold"] } },
  ],
};

/**
 * Every way to ask an operation: as the tables of identifiers have it; a read also without anything
 * that it does not need, with each of its query's parameters besides, and with those filters together
 * that are read by other plans than each of them.
 */
export function shapesOf(operation: Operation): Shape[] {
  const given = deepRequestsOf(operation).map((request, index) => ({
    name: index === 0 ? "" : ` #${index + 1}`,
    request: withPageSize(operation, request),
  }));
  const [first] = given;
  if (!first) return [];
  if (operation.method !== "GET") return [...given, ...furtherOf(operation, first.request)];
  const plain = withPageSize(operation, needed(operation, first.request));
  const queries = plain.path === first.request.path ? [] : [{}];
  return [
    ...given,
    ...[...queries, ...queriesOf(operation, plain)].map((query) => ({
      name: `?${nameOf(query)}`,
      request: withQuery(plain, query),
    })),
  ];
}

const furtherOf = ({ id }: Operation, request: FuzzedRequest): Shape[] =>
  (furtherBodies[id] ?? []).map((fields) => {
    const body = JSON.stringify(fields);
    return { name: ` ${body}`, request: { ...request, body } };
  });

/** Without the parameters that may be left out. */
function needed({ parameters }: Operation, request: FuzzedRequest): FuzzedRequest {
  const [path = "", search = ""] = request.path.split("?");
  const isNeeded = (name: string) =>
    parameters.some((one) => one.in === "query" && one.name === name && one.required === true);
  const kept = [...new URLSearchParams(search)].filter(([name]) => isNeeded(name));
  return kept.reduce((made, [name, value]) => withQuery(made, { [name]: value }), {
    ...request,
    path,
  });
}

const nameOf = (query: Query): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");

function withPageSize({ parameters }: Operation, request: FuzzedRequest): FuzzedRequest {
  const isList = parameters.some(({ name }) => name === "limit");
  return isList && !request.path.includes("limit=")
    ? withQuery(request, { limit: pageSize })
    : request;
}

export const withQuery = (request: FuzzedRequest, query: Query): FuzzedRequest => {
  if (Object.keys(query).length === 0) return request;
  const search = new URLSearchParams(query).toString();
  return { ...request, path: `${request.path}${request.path.includes("?") ? "&" : "?"}${search}` };
};

function queriesOf({ parameters }: Operation, { path }: FuzzedRequest): Query[] {
  const asked = parameters.filter(
    ({ name, in: place, required = false }) =>
      place === "query" && !required && !notAsked.includes(name) && !path.includes(`${name}=`),
  );
  const single = asked.flatMap((parameter) =>
    valuesOf(parameter).map((value): Query => ({ [parameter.name]: value })),
  );
  const orders = single.filter(({ sort_by: by }) => by === "name" || by === "price");
  const isAsked = (query: Query) =>
    Object.keys(query).every((name) => asked.some((parameter) => parameter.name === name));
  const others = differing.filter(isAsked);
  return [
    ...single,
    ...orders.flatMap((by) => others.map((other) => ({ ...by, ...other }))),
    ...together.filter(isAsked),
  ];
}

function valuesOf({ name, schema }: Parameter): readonly string[] {
  if (schema.enum) return someOf(schema.enum.map(String));
  if (schema.type === "boolean") return ["true", "false"];
  const known = values[name];
  if (!known) throw new Error(`${name} is asked with no value: give it one.`);
  return known;
}

/** Of many values of one filter: its plan is the same for what most records have, some, or none. */
const someOf = (all: readonly string[]): readonly string[] =>
  all.length <= 4 ? all : [...all.slice(0, 2), ...all.slice(-1)];
