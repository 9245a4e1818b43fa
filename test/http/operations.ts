import { call } from "../support/world.ts";

type Schema = Readonly<{
  $ref?: string;
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
}>;

type Parameter = Readonly<{ name: string; in: "path" | "query" | "header" }>;

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

function fieldsOf(schema: Schema, named: Readonly<Record<string, Schema>>): string[] {
  const target = schema.$ref === undefined ? schema : named[schema.$ref.split("/").at(-1) ?? ""];
  if (target === undefined) return [];
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = target;
  const parts = [...Object.values(properties), ...anyOf, ...oneOf, ...allOf];
  return [
    ...Object.keys(properties),
    ...[...parts, ...(items ? [items] : [])].flatMap((part) => fieldsOf(part, named)),
  ];
}
