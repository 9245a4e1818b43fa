import { call } from "../support/world.ts";

/** The JSON Schema keywords that the OpenAPI documents use. */
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

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** One operation of the OpenAPI documents. */
export type Operation = Readonly<{
  /** "METHOD path", as in the document. */
  id: string;
  operationId: string;
  method: string;
  path: string;
  security: readonly SecurityRequirement[];
  pathParameters: readonly string[];
  /** The fields of query and body, at any depth, whose names say that they hold an identifier. */
  identifiers: readonly string[];
  takesJson: boolean;
  parameters: readonly Parameter[];
  /** The schemas of the request body, by content type. */
  content: Readonly<Record<string, { schema: Schema }>>;
  /** Resolves a schema's reference to a named schema. */
  resolve: (schema: Schema) => Schema;
}>;

type OpenApiDocument = Readonly<{
  paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            operationId: string;
            security: readonly SecurityRequirement[];
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
export async function listOperations(): Promise<Operation[]> {
  const answers = await Promise.all(
    documents.map((prefix) => call("GET", `${prefix}/openapi.json`)),
  );
  return answers.flatMap(({ body }) => documentOperations(Object(body)));
}

/** Rows for `it.each`, titled with the operations' ids. */
export const byId = (operations: readonly Operation[]) =>
  operations.map((operation) => [operation.id, operation] as const);

const documentOperations = ({ paths, components }: OpenApiDocument): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, documented]): Operation => {
      const { operationId, security, parameters = [], requestBody } = documented;
      const method = name.toUpperCase();
      const content = requestBody?.content ?? {};
      const fields = Object.values(content).flatMap(({ schema }) =>
        fieldNames(schema, components.schemas ?? {}),
      );
      const queries = parameterNames(parameters, "query");
      return {
        id: `${method} ${path}`,
        operationId,
        method,
        path,
        security,
        pathParameters: parameterNames(parameters, "path"),
        identifiers: [...new Set([...queries, ...fields])].filter(isIdentifier),
        takesJson: "application/json" in content,
        parameters,
        content,
        resolve: (schema) => resolveSchema(schema, components.schemas ?? {}),
      };
    }),
  );

const parameterNames = (parameters: readonly Parameter[], place: Parameter["in"]) =>
  parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);

/** An id, a list of ids, or another field that gives access to a record. */
const isIdentifier = (name: string): boolean =>
  /(?:^|_)ids?$/.test(name) ||
  ["entity", "token", "bill_token", "add_on_options"].includes(name) ||
  /(?:_slug|_code)$/.test(name);

const resolveSchema = (schema: Schema, named: Readonly<Record<string, Schema>>): Schema =>
  schema.$ref === undefined ? schema : (named[schema.$ref.split("/").at(-1) ?? ""] ?? {});

export const takesSecretKey = ({ security }: Operation): boolean =>
  security.some((way) => "secretKey" in way);

/** Whether the operator makes the call, and no merchant. */
export const isOperatorCall = ({ security }: Operation): boolean =>
  security.some((way) => "operatorToken" in way) && !security.some((way) => "secretKey" in way);

/** The caller that sends an operation; the operator's operations have another. */
export function callerOf(
  operation: Operation,
): "merchant" | "build" | "link" | "customer" | "console" {
  if (operation.path.startsWith("/v1/console")) return "console";
  if (takesSecretKey(operation)) return "merchant";
  if (operation.security.some((way) => "deployKey" in way)) return "build";
  return operation.path.startsWith("/v1/link") ? "link" : "customer";
}

function fieldNames(schema: Schema, named: Readonly<Record<string, Schema>>): string[] {
  const target = resolveSchema(schema, named);
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = target;
  const parts = [...Object.values(properties), ...anyOf, ...oneOf, ...allOf];
  return [
    ...Object.keys(properties),
    ...[...parts, ...(items ? [items] : [])].flatMap((part) => fieldNames(part, named)),
  ];
}
