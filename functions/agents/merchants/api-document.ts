/** A JSON Schema of an OpenAPI document. */
export type ApiSchema = Readonly<{
  $ref?: string;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, ApiSchema>>;
  [keyword: string]: unknown;
}>;

export type ApiParameter = Readonly<{
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: ApiSchema;
}>;

type ApiContent = Readonly<Record<string, Readonly<{ schema?: ApiSchema }>>>;

export type DocumentedOperation = Readonly<{
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  parameters?: readonly ApiParameter[];
  requestBody?: Readonly<{ required?: boolean; content: ApiContent }>;
  responses: Readonly<Record<string, Readonly<{ content?: ApiContent }>>>;
}>;

/** The business API's OpenAPI document, as far as tools are made from it. */
export type ApiDocument = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  components: Readonly<{ schemas: Readonly<Record<string, ApiSchema>> }>;
}>;

/** A copy of the schema with its references replaced, since a tool's schema stands alone. */
export function resolveSchema({ components }: ApiDocument, schema: ApiSchema): ApiSchema {
  const resolve = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item) => resolve(item, path));
    if (value === null || typeof value !== "object") return value;
    const { $ref } = Object(value);
    if (typeof $ref === "string") {
      const name = $ref.split("/").at(-1) ?? "";
      // A schema that contains itself cannot be written out; what is inside is then left open.
      return path.includes(name) ? {} : resolve(components.schemas[name] ?? {}, [...path, name]);
    }
    return Object.fromEntries(
      Object.entries(value)
        .filter(([keyword]) => keyword !== "example")
        .map(([keyword, inner]) => [keyword, resolve(inner, path)]),
    );
  };
  return Object(resolve(schema, []));
}
