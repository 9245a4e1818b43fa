import { placeholderOf } from "../fuzz/id-placeholders.ts";
import { type FuzzedRequest, sampleFuzzRequests } from "../fuzz/requests.ts";
import type { Operation } from "../operations.ts";

/** A request to an operation; the name shows the query or body that distinguishes it. */
export type RequestVariant = Readonly<{ name: string; request: FuzzedRequest }>;

type Query = Readonly<Record<string, string>>;
type Parameter = Operation["parameters"][number];

/** Less than the small shop has of each record, so that pages of both shops are full. */
const pageSize = "10";

/** Query parameter values; enums and booleans take theirs from the schema. */
const queryValues: Readonly<Record<string, readonly string[]>> = {
  search: ["tea"],
  ids: [placeholderOf("product_id")],
  ticket: ["none"],
  tags: ["hot"],
  taxonomy_id: ["none"],
  properties: ['{"colour":"red"}'],
  min_price: ["9"],
  max_price: ["9"],
  order_value: ["100"],
  country: ["GH"],
  region: ["Accra"],
  city: ["Accra"],
  postal_code: ["GA1 2"],
  quantity: ["2"],
  participant_count: ["2"],
  duration_minutes: ["60"],
  page: ["2"],
  offset: ["10"],
  from: ["2030-06-01T00:00:00Z"], // half a year before the clock of the shops
  to: ["2099-01-01T00:00:00Z"],
  folder: ["img"],
  mime_prefix: ["image/", "video/"],
  entity: [placeholderOf("product_id")],
  actor: [placeholderOf("key_id")],
  order_id: [placeholderOf("order_id")],
  customer: [placeholderOf("customer_id")],
  category_id: [placeholderOf("category_id")],
  category_slug: [placeholderOf("category_slug")],
  customer_id: [placeholderOf("customer_id")],
  location_id: [placeholderOf("location_id")],
  product_id: [placeholderOf("product_id")],
  service_id: [placeholderOf("service_id")],
  staff_id: [placeholderOf("staff_id")],
  variant_id: [placeholderOf("service_variant_id")],
};

/** Parameters without variants: the page size, cursors, and those of sessions and frames. */
const ignoredParameters: readonly string[] = [
  "limit",
  "cursor",
  "after",
  "token",
  "public_key",
  "origin",
];

/** One filter of each kind: combined with a sort order it has a query plan of its own. */
const filtersWithOwnPlan: readonly Query[] = [
  { tags: "hot" }, // a facet, like most filters
  { category_id: placeholderOf("category_id") }, // several
  { featured: "false" }, // none
  { in_stock: "true" },
  { min_price: "9" },
  { search: "tea" },
  { location_id: placeholderOf("location_id") },
];

/** Combinations of filters that are indexed separately but not together. */
const filterCombinations: readonly Query[] = ["requires_action", "captured"].map((status) => ({
  status: "pending",
  payment_status: status,
}));

/** Bodies that cause more work than the sample requests. */
const furtherBodies: Readonly<Record<string, readonly object[]>> = {
  "PATCH /v1/businesses/{business_id}/collections/{collection_id}": [
    { rule: { tags: ["hot"] } },
    { rule: { tags: ["hot", "cold"] } },
  ],
};

/**
 * The sample requests of an operation. For a read also the request without optional parameters,
 * with each query parameter, and with the combinations that use other query plans.
 */
export function requestVariants(operation: Operation): RequestVariant[] {
  const given = sampleFuzzRequests(operation).map((request, index) => ({
    name: index === 0 ? "" : ` #${index + 1}`,
    request: withPageSize(operation, request),
  }));
  const [first] = given;
  if (!first) return [];
  if (operation.method !== "GET") return [...given, ...bodyVariants(operation, first.request)];
  const plain = withPageSize(operation, withRequiredParameters(operation, first.request));
  const queries = plain.path === first.request.path ? [] : [{}];
  return [
    ...given,
    ...[...queries, ...queryVariants(operation, plain)].map((query) => ({
      name: `?${queryName(query)}`,
      request: withQuery(plain, query),
    })),
  ];
}

const bodyVariants = ({ id }: Operation, request: FuzzedRequest): RequestVariant[] =>
  (furtherBodies[id] ?? []).map((fields) => {
    const body = JSON.stringify(fields);
    return { name: ` ${body}`, request: { ...request, body } };
  });

/** Removes the optional parameters. */
function withRequiredParameters({ parameters }: Operation, request: FuzzedRequest): FuzzedRequest {
  const [path = "", search = ""] = request.path.split("?");
  const isNeeded = (name: string) =>
    parameters.some((one) => one.in === "query" && one.name === name && one.required === true);
  const kept = [...new URLSearchParams(search)].filter(([name]) => isNeeded(name));
  return kept.reduce((made, [name, value]) => withQuery(made, { [name]: value }), {
    ...request,
    path,
  });
}

const queryName = (query: Query): string =>
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

function queryVariants({ parameters }: Operation, { path }: FuzzedRequest): Query[] {
  const optional = parameters.filter(
    ({ name, in: location, required = false }) =>
      location === "query" &&
      !required &&
      !ignoredParameters.includes(name) &&
      !path.includes(`${name}=`),
  );
  const single = optional.flatMap((parameter) =>
    valuesFor(parameter).map((value): Query => ({ [parameter.name]: value })),
  );
  const orders = single.filter(({ sort_by: by }) => by === "name" || by === "price");
  const isAccepted = (query: Query) =>
    Object.keys(query).every((name) => optional.some((parameter) => parameter.name === name));
  const others = filtersWithOwnPlan.filter(isAccepted);
  return [
    ...single,
    ...orders.flatMap((by) => others.map((other) => ({ ...by, ...other }))),
    ...filterCombinations.filter(isAccepted),
  ];
}

function valuesFor({ name, schema }: Parameter): readonly string[] {
  if (schema.enum) return sampleOf(schema.enum.map(String));
  if (schema.type === "boolean") return ["true", "false"];
  const known = queryValues[name];
  if (!known) throw new Error(`${name} has no value in queryValues: add one.`);
  return known;
}

/**
 * Three values of a long enum: one that most records have, one that some have, one that none has.
 */
const sampleOf = (all: readonly string[]): readonly string[] =>
  all.length <= 4 ? all : [...all.slice(0, 2), ...all.slice(-1)];
