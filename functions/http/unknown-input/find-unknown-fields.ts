import { z } from "@hono/zod-openapi";

/** The schema of a request or a response, or of a part of one. */
export type AnySchema = z.core.$ZodType;

/** A field that a value has and its schema does not, with the names that its schema has there. */
export type UnknownField = Readonly<{
  path: readonly string[];
  value: unknown;
  knownNames: readonly string[];
}>;

/**
 * Bounds the work for a body of many unknown fields. A record that is written back has fewer, because
 * its lists are bounded.
 */
const maxUnknownFields = 2_000;

/** The fields of a JSON value that its schema would drop, at any depth. */
export function findUnknownFields(schema: AnySchema, value: unknown): UnknownField[] {
  const found: UnknownField[] = [];
  for (const field of unknownFieldsOf(schema, value, [])) {
    found.push(field);
    if (found.length === maxUnknownFields) break;
  }
  return found;
}

function* unknownFieldsOf(
  schema: AnySchema,
  value: unknown,
  path: readonly string[],
): Generator<UnknownField> {
  if (typeof value !== "object" || value === null) return;
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodUnion) {
    const option = likeliestOption(inner, value);
    if (option) yield* unknownFieldsOf(option, value, path);
    return;
  }
  const knownNames = fieldNamesOf(inner);
  for (const [name, part] of Object.entries(value)) {
    const partPath = [...path, name];
    const partSchema = schemaAt(inner, name);
    if (partSchema) yield* unknownFieldsOf(partSchema, part, partPath);
    else if (knownNames && !Array.isArray(value)) yield { path: partPath, value: part, knownNames };
  }
}

/** The names of an object's fields; null for a value whose fields are free. */
const fieldNamesOf = (schema: AnySchema): readonly string[] | null =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : null;

/** The schema of a value's part: a field, an entry of a list or a value of a map. */
export function schemaAt(schema: AnySchema, name: string): AnySchema | null {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodObject) {
    return Object.hasOwn(inner.shape, name) ? inner.shape[name] : null;
  }
  if (inner instanceof z.ZodArray) return inner.element;
  return inner instanceof z.ZodRecord ? inner.valueType : null;
}

/** The validator of a value that is neither missing nor null. */
function innerSchema(schema: AnySchema): AnySchema {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodLazy
  )
    return innerSchema(schema.unwrap());
  if (schema instanceof z.ZodPipe)
    return innerSchema(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema;
}

/**
 * The option of a union that the value is meant for: its constants agree with the value, and it has
 * the most of its fields.
 */
function likeliestOption({ options }: z.ZodUnion, value: object): AnySchema | null {
  const matching = options.filter((option) => hasConstantsOf(option, value));
  const [first] = (matching.length > 0 ? matching : options)
    .map((option) => ({ option, unknown: findUnknownFields(option, value).length }))
    .toSorted((one, other) => one.unknown - other.unknown);
  return first?.option ?? null;
}

function hasConstantsOf(option: AnySchema, value: object): boolean {
  const inner = innerSchema(option);
  if (!(inner instanceof z.ZodObject)) return false;
  const fields = new Map(Object.entries(value));
  return Object.entries(inner.shape).every(
    ([name, field]) => !(field instanceof z.ZodLiteral) || field.values.has(fields.get(name)),
  );
}
