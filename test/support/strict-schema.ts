/** What of JSON Schema the documents say of answers and events; annotations come as well. */
export type Schema = {
  $ref?: string;
  type?: Type | Type[];
  enum?: (string | number | boolean | null)[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
};

type Type = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

type Named = Readonly<Record<string, Schema>>;

/**
 * As the schema, but an object's field that it does not name is refused. References are written
 * out, and what all of several schemas say is said by one, or each would refuse the others' fields.
 */
export function strictly(schema: Schema, named: Named): Schema {
  const { $ref: _, allOf: __, ...whole } = mergedFrom(schema, named);
  const within = (one: Schema) => strictly(one, named);
  const { properties, additionalProperties, items, anyOf, oneOf } = whole;
  return {
    ...whole,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, within(field)]),
      ),
      additionalProperties: false,
    }),
    ...(typeof additionalProperties === "object" && {
      additionalProperties: within(additionalProperties),
    }),
    ...(items && { items: within(items) }),
    ...(anyOf && { anyOf: anyOf.map(within) }),
    ...(oneOf && { oneOf: oneOf.map(within) }),
  };
}

/** A schema without reference and without parts; of a field that several name, the last has the say. */
function mergedFrom({ $ref, allOf = [], ...own }: Schema, named: Named): Schema {
  const parts = [...($ref === undefined ? [] : [theNamed($ref, named)]), ...allOf];
  return [...parts.map((part) => mergedFrom(part, named)), own].reduce(both);
}

function theNamed($ref: string, named: Named): Schema {
  const schema = named[$ref.replace("#/components/schemas/", "")];
  if (!schema) throw new Error(`The document has no ${$ref}`);
  return schema;
}

function both(one: Schema, other: Schema): Schema {
  const types = [one.type, other.type]
    .filter((type) => type !== undefined)
    .map((type) => [type].flat());
  const [first, second = first] = types;
  return {
    ...one,
    ...other,
    ...(first && { type: first.filter((type) => second?.includes(type)) }),
    ...((one.properties || other.properties) && {
      properties: { ...one.properties, ...other.properties },
      required: [...new Set([...(one.required ?? []), ...(other.required ?? [])])],
    }),
  };
}
