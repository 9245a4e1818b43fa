import { getRefId, zodToOpenAPIRegistry } from "@asteasolutions/zod-to-openapi";
import { type OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { GeneratedDocument } from "./complete-operations.ts";

type Registry = OpenAPIHono["openAPIRegistry"];

/** Marks the uses of named schemas that may be null, until the document is generated. */
const nullableMark = "x-nullable";

/**
 * Registers the named schemas of all routes without the `.nullable()` of their uses. Otherwise the
 * generator takes the first use of a name for its schema, and null with it.
 */
export function registerNamedSchemas(registry: Registry): void {
  const schemaByName = new Map<string, z.ZodType>();
  const visited = new Set<object>();

  function visit(value: unknown): void {
    if (typeof value !== "object" || value === null || visited.has(value)) return;
    visited.add(value);
    if (value instanceof z.ZodType) visitSchema(value);
    else for (const part of Object.values(value)) visit(part);
  }

  function visitSchema(schema: z.ZodType): void {
    // The parts come first, because the generator also takes the names that it finds in a schema.
    visit(schema instanceof z.ZodLazy ? schema.def.getter() : schema.def);
    const name = getRefId(schema);
    if (name === undefined) return;
    if (!schemaByName.has(name)) schemaByName.set(name, unwrap(schema));
    if (schema instanceof z.ZodNullable) markNullable(schema, name);
  }

  for (const definition of registry.definitions) {
    if (!("type" in definition)) continue;
    const { type } = definition;
    if (type === "schema") visit(definition.schema);
    if (type === "route") nameOwnSchemas(definition.route);
    const route = type === "route" ? definition.route : null;
    const { request, responses } = route ?? (type === "webhook" ? definition.webhook : {});
    visit([request, responses]);
  }
  for (const [name, schema] of schemaByName) registry.register(name, schema);
}

/** Names the JSON body and the result of an operation after it, unless they have a name. */
function nameOwnSchemas({ operationId, request, responses }: Omit<RouteConfig, "path">): void {
  if (operationId === undefined) return;
  const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  nameSchema(jsonSchemaOf(request?.body), `${name}Request`);
  for (const status of [200, 201]) {
    const answer = jsonSchemaOf(responses[status]);
    const hasEnvelope = answer instanceof z.ZodObject && "success" in answer.shape;
    nameSchema(hasEnvelope && "data" in answer.shape ? answer.shape.data : answer, `${name}Result`);
  }
}

function jsonSchemaOf(message: object | undefined): unknown {
  const { content = {} } = Object(message);
  return content["application/json"]?.schema;
}

function nameSchema(schema: unknown, name: string): void {
  if (!(schema instanceof z.ZodType) || getRefId(schema) !== undefined) return;
  if (!(unwrap(schema) instanceof z.ZodObject)) return;
  const metadata = zodToOpenAPIRegistry.get(schema);
  zodToOpenAPIRegistry.add(schema, { ...metadata, _internal: { refId: name } });
}

/** The schema inside of `.nullable()`, `.optional()`, `.default()` and `.transform()`. */
function unwrap(schema: z.ZodType): z.ZodType {
  const inner = innerOf(schema);
  return inner instanceof z.ZodType ? unwrap(inner) : schema;
}

function innerOf(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodPipe) return schema.def.in;
  const isWrapper =
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault;
  return isWrapper ? schema.def.innerType : null;
}

/** Marks a use of a named schema. The use keeps the name, which new metadata would replace. */
function markNullable(schema: z.ZodType, refId: string): void {
  const { _internal, ...metadata } = zodToOpenAPIRegistry.get(schema) ?? {};
  const marked = { ...metadata, _internal: { refId, ..._internal }, [nullableMark]: true };
  zodToOpenAPIRegistry.add(schema, marked);
}

/**
 * Replaces what the generator writes for a use of a named schema, `allOf` of the reference and of
 * the use's own keywords: a use that may be null becomes `anyOf`, any other a plain reference.
 */
export const withPlainReferences = (document: object): GeneratedDocument =>
  JSON.parse(JSON.stringify(document), (_name, value: unknown) =>
    typeof value === "object" && value !== null && "allOf" in value
      ? simplifyUse({ ...value })
      : value,
  );

function simplifyUse(schema: Record<string, unknown>): Record<string, unknown> {
  const { allOf, ...own } = schema;
  if (!Array.isArray(allOf) || allOf.length !== 2) return schema;
  const [reference, { [nullableMark]: isNullable, type: _, ...keywords }] = allOf;
  if (!("$ref" in reference) || "properties" in keywords) return schema;
  return isNullable === true
    ? { anyOf: [reference, { type: "null" }], ...keywords, ...own }
    : { ...reference, ...keywords, ...own };
}
