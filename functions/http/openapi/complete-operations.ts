import { errorKinds, errorResponse, errorResponseComponents } from "./error-responses.ts";
import { type ErrorKind, errorSchema, errorSchemaName } from "./error-schemas.ts";
import { type HeaderName, headerComponents, responseHeaders } from "./headers.ts";
import { factsField, type ImpliedFacts } from "./operation-info.ts";
import { type DescribedParameter, describeParameter, headerParameters } from "./parameters.ts";

type GeneratedSchema = Readonly<{
  $ref?: string;
  type?: unknown;
  properties?: Readonly<Record<string, GeneratedSchema>>;
  allOf?: readonly GeneratedSchema[];
}>;

type Content = Readonly<Record<string, Readonly<{ schema?: GeneratedSchema }>>>;

type Response = Readonly<{ description?: string; headers?: object; content?: Content }>;

export type GeneratedOperation = Readonly<{
  operationId?: string;
  security?: readonly object[];
  parameters?: readonly DescribedParameter[];
  requestBody?: Readonly<{ content?: Content }>;
  responses?: Readonly<Record<string, Response>>;
  [factsField]?: ImpliedFacts;
}>;

/** The parts of a generated document that are completed. */
export type GeneratedDocument = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, GeneratedOperation>>>>;
  components: Readonly<{
    schemas: Readonly<Record<string, GeneratedSchema>>;
    securitySchemes: Readonly<Record<string, unknown>>;
  }>;
}>;

/** Adds to each operation what follows from its facts: errors, headers, pages and parameters. */
export function completeOperations(document: GeneratedDocument) {
  const kinds = new Map<string, ErrorKind>();
  const responses: Record<string, object> = {};
  const complete = (path: string, method: string, operation: GeneratedOperation) => {
    const { [factsField]: facts, ...documented } = operation;
    if (facts === undefined) return documented;
    const hasBody = operation.requestBody !== undefined;
    const errors = errorKinds(facts, { method, hasBody });
    for (const [status, some] of errors) {
      for (const kind of some) kinds.set(errorSchemaName(kind), kind);
      Object.assign(responses, errorResponseComponents(status, some));
    }
    const { parameters: declared = [] } = documented;
    const parameters = [...declared, ...impliedHeaders({ path, operation, facts })];
    return {
      ...documented,
      ...(parameters.length > 0 && { parameters: parameters.map(describeParameter) }),
      ...paginationOf(document, documented),
      responses: {
        ...successResponses(document, operation, facts),
        ...Object.fromEntries(
          [...errors].map(([status, some]) => [status, errorResponse(status, some)]),
        ),
      },
    };
  };
  const paths = mapValues(document.paths, (methods, path) =>
    mapValues(methods, (operation, method) => complete(path, method, operation)),
  );
  const errorSchemas = Object.fromEntries(
    [...kinds].toSorted().map(([name, kind]) => [name, errorSchema(kind)]),
  );
  const { components } = document;
  const schemas = { ...components.schemas, ...errorSchemas };
  const text = JSON.stringify([paths, responses]);
  const headers = filterEntries(headerComponents, (name) => text.includes(`/headers/${name}"`));
  const securitySchemes = filterEntries(components.securitySchemes, (name) =>
    text.includes(`"${name}":[`),
  );
  return {
    ...document,
    paths,
    components: { ...components, schemas, responses, headers, securitySchemes },
  };
}

const filterEntries = (
  record: Readonly<Record<string, unknown>>,
  keep: (name: string) => boolean,
) => Object.fromEntries(Object.entries(record).filter(([name]) => keep(name)));

function resolve({ components }: GeneratedDocument, schema: GeneratedSchema): GeneratedSchema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? {});
}

/** The headers that the document lists for an operation because its key or its ETag implies them. */
function impliedHeaders({
  path,
  operation: { security = [] },
  facts,
}: Readonly<{
  path: string;
  operation: GeneratedOperation;
  facts: ImpliedFacts;
}>): DescribedParameter[] {
  const takesKey = security.some((way) => "publishableKey" in way || "secretKey" in way);
  const isInPath = path.includes("{business_id}");
  return [
    ...(takesKey && !isInPath ? [headerParameters.businessId] : []),
    ...(facts.hasEntityTag ? [headerParameters.entityTag] : []),
  ];
}

/** The successes of an operation with their headers, and 304 where a client may ask for changes. */
function successResponses(
  document: GeneratedDocument,
  operation: GeneratedOperation,
  facts: ImpliedFacts,
): Record<string, Response> {
  const headers = responseHeaders(ownHeaders(document, operation, facts));
  const successes = mapValues(operation.responses ?? {}, (response, status) =>
    status === "101" ? response : { ...response, headers },
  );
  const notModified = { description: "The response has not changed.", headers };
  return { ...successes, ...(facts.hasEntityTag && { 304: notModified }) };
}

const ownHeaders = (
  document: GeneratedDocument,
  operation: GeneratedOperation,
  { isRepeatable, usesSession, hasEntityTag }: ImpliedFacts,
): HeaderName[] => [
  ...(isRepeatable ? ["Idempotency-Replayed" as const] : []),
  ...(usesSession ? ["Set-Cookie" as const, "X-Session-Token" as const] : []),
  ...(hasEntityTag ? ["ETag" as const] : []),
  ...(paginationOf(document, operation)["x-pagination"] === "headers"
    ? ["X-Has-More" as const, "X-Next-Cursor" as const]
    : []),
];

/** How a list is read page by page. */
type Pagination = "cursor" | "headers" | "page";

/**
 * How the pages of a list follow each other: by `pagination.next_cursor` of the result, by headers
 * of a bare array (docs/contract/conventions.md#array-pages), or by page number.
 */
function paginationOf(
  document: GeneratedDocument,
  { parameters = [], responses = {} }: GeneratedOperation,
): Readonly<{ "x-pagination"?: Pagination }> {
  const names = parameters.map(({ name }) => name);
  const result = responses[200]?.content?.["application/json"]?.schema?.properties?.data;
  if (names.includes("cursor")) {
    const isArray = resolve(document, result ?? {}).type === "array";
    return { "x-pagination": isArray ? "headers" : "cursor" };
  }
  return names.includes("page") || names.includes("offset") ? { "x-pagination": "page" } : {};
}

const mapValues = <T, R>(
  record: Readonly<Record<string, T>>,
  map: (value: T, name: string) => R,
): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
