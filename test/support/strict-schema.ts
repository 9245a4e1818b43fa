/** The keywords of JSON Schema that the documents use for responses and events. */
export type JsonSchema = {
  $ref?: string;
  type?: JsonType | JsonType[];
  enum?: (string | number | boolean | null)[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
};

type JsonType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

type SchemasByName = Readonly<Record<string, JsonSchema>>;

/**
 * The schema, with every field that it does not name refused. References and `allOf` are resolved
 * into one schema first, because two strict schemas would refuse each other's fields.
 */
export function toStrictSchema(schema: JsonSchema, byName: SchemasByName): JsonSchema {
  const { $ref: _, allOf: __, ...resolved } = resolveSchema(schema, byName);
  const toStrict = (part: JsonSchema) => toStrictSchema(part, byName);
  const { properties, additionalProperties, items, anyOf, oneOf } = resolved;
  return {
    ...resolved,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, toStrict(field)]),
      ),
      additionalProperties: false,
    }),
    ...(typeof additionalProperties === "object" && {
      additionalProperties: toStrict(additionalProperties),
    }),
    ...(items && { items: toStrict(items) }),
    ...(anyOf && { anyOf: anyOf.map(toStrict) }),
    ...(oneOf && { oneOf: oneOf.map(toStrict) }),
  };
}

/** The schema without `$ref` and `allOf`; the last definition of a field wins. */
function resolveSchema(
  { $ref, allOf = [], ...own }: JsonSchema,
  byName: SchemasByName,
): JsonSchema {
  const parts = [...($ref === undefined ? [] : [schemaByReference($ref, byName)]), ...allOf];
  return [...parts.map((part) => resolveSchema(part, byName)), own].reduce(intersectSchemas);
}

function schemaByReference($ref: string, byName: SchemasByName): JsonSchema {
  const schema = byName[$ref.replace("#/components/schemas/", "")];
  if (!schema) throw new Error(`The document has no ${$ref}`);
  return schema;
}

function intersectSchemas(first: JsonSchema, second: JsonSchema): JsonSchema {
  const [types, otherTypes = types] = [first.type, second.type]
    .filter((type) => type !== undefined)
    .map((type) => [type].flat());
  return {
    ...first,
    ...second,
    ...(types && { type: types.filter((type) => otherTypes?.includes(type)) }),
    ...((first.properties || second.properties) && {
      properties: { ...first.properties, ...second.properties },
      required: [...new Set([...(first.required ?? []), ...(second.required ?? [])])],
    }),
  };
}
