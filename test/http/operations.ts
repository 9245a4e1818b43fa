import { call } from "../support/world.ts";

/** What of JSON Schema the documents use. */
export type Schema = Readonly<{
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  example?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
}>;

type Parameter = Readonly<{
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Schema;
}>;

export type Way = Readonly<Record<string, readonly string[]>>;

/** One call of the service's own documents. */
export type Operation = Readonly<{
  /** "METHOD path", as the documents have it. */
  id: string;
  method: string;
  path: string;
  security: readonly Way[];
  pathParameters: readonly string[];
  /** The fields of query and body, at any depth, that by their names hold an identifier. */
  identifiers: readonly string[];
  takesJson: boolean;
  parameters: readonly Parameter[];
  /** The schemas of its body, by content type. */
  content: Readonly<Record<string, { schema: Schema }>>;
  /** A schema without its reference to a named one. */
  resolve: (schema: Schema) => Schema;
}>;

type Document = Readonly<{
  paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            security: readonly Way[];
            parameters?: readonly Parameter[];
            requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
          }
        >
      >
    >
  >;
  components: { schemas?: Readonly<Record<string, Schema>> };
}>;

const documents = ["/api/v1", "/v1/link", "/v1/businesses"];

/** Every operation of the three OpenAPI documents. */
export async function operationsOfDocuments(): Promise<Operation[]> {
  const answers = await Promise.all(
    documents.map((prefix) => call("GET", `${prefix}/openapi.json`)),
  );
  return answers.flatMap(({ body }) => operationsOf(Object(body)));
}

/** For a table of tests, whose names are the operations' whole ids. */
export const named = (operations: readonly Operation[]) =>
  operations.map((operation) => [operation.id, operation] as const);

const operationsOf = ({ paths, components }: Document): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, { security, parameters = [], requestBody }]): Operation => {
      const method = name.toUpperCase();
      const content = requestBody?.content ?? {};
      const fields = Object.values(content).flatMap(({ schema }) =>
        fieldsOf(schema, components.schemas ?? {}),
      );
      const queries = namesIn(parameters, "query");
      return {
        id: `${method} ${path}`,
        method,
        path,
        security,
        pathParameters: namesIn(parameters, "path"),
        identifiers: [...new Set([...queries, ...fields])].filter(isIdentifier),
        takesJson: "application/json" in content,
        parameters,
        content,
        resolve: (schema) => resolved(schema, components.schemas ?? {}),
      };
    }),
  );

const namesIn = (parameters: readonly Parameter[], place: Parameter["in"]) =>
  parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);

/** An id, ids, or what opens a record without being called so. */
const isIdentifier = (name: string): boolean =>
  /(?:^|_)ids?$/.test(name) ||
  ["entity", "token", "bill_token", "add_on_options"].includes(name) ||
  /(?:_slug|_code)$/.test(name);

const resolved = (schema: Schema, named: Readonly<Record<string, Schema>>): Schema =>
  schema.$ref === undefined ? schema : (named[schema.$ref.split("/").at(-1) ?? ""] ?? {});

export const isMerchants = ({ security }: Operation): boolean =>
  security.some((way) => "secretKey" in way);

/** Who of a world calls an operation that is no operator's. */
export function callerOf(operation: Operation): "merchant" | "build" | "link" | "customer" {
  if (isMerchants(operation)) return "merchant";
  if (operation.security.some((way) => "deployKey" in way)) return "build";
  return operation.path.startsWith("/v1/link") ? "link" : "customer";
}

function fieldsOf(schema: Schema, named: Readonly<Record<string, Schema>>): string[] {
  const target = resolved(schema, named);
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = target;
  const parts = [...Object.values(properties), ...anyOf, ...oneOf, ...allOf];
  return [
    ...Object.keys(properties),
    ...[...parts, ...(items ? [items] : [])].flatMap((part) => fieldsOf(part, named)),
  ];
}
