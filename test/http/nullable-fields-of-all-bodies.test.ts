/// <reference types="vite/client" />
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { expect, it } from "vitest";

const files = import.meta.glob<Record<string, unknown>>(
  "../../functions/{storefront,link,business}/routes/**/*.ts",
);

type Schema = z.core.$ZodType;
type PublishedSchema = Record<string, unknown>;

/** A field of a request body: its validator, and its schema in the OpenAPI document. */
type BodyField = Readonly<{ at: string; schema: Schema; published: PublishedSchema }>;

const json = "application/json";

async function loadBodyFields(): Promise<BodyField[]> {
  const modules = await Promise.all(Object.values(files).map((load) => load()));
  return modules.flatMap((module) =>
    Object.values(module).flatMap((app) => (app instanceof OpenAPIHono ? bodyFieldsOf(app) : [])),
  );
}

function bodyFieldsOf(app: OpenAPIHono): BodyField[] {
  const { paths, components } = Object(
    app.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "", version: "" } }),
  );
  return app.openAPIRegistry.definitions.flatMap((definition) => {
    if (definition.type !== "route") return [];
    const { method, path, request } = definition.route;
    const { schema } = Object(request?.body?.content[json]);
    if (!(schema instanceof z.ZodType)) return [];
    const row = paths[path.replaceAll(/:(\w+)/g, "{$1}")][method];
    const published = withoutReferences(row.requestBody.content[json].schema, components);
    return fieldsOf({ at: `${method} ${path}`, schema, published });
  });
}

/** Replaces the references in a schema by the schemas that they name. */
function withoutReferences(schema: unknown, components: PublishedSchema): PublishedSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    const name = /^#\/components\/schemas\/(.+)$/.exec(String(Object(value).$ref))?.[1];
    return name === undefined
      ? value
      : withoutReferences(Object(components).schemas[name], components);
  });
}

/** A field and the fields within it. */
function fieldsOf(field: BodyField): BodyField[] {
  const { at, published } = field;
  const schema = innerSchema(field.schema);
  const { properties = {}, items } = Object(branches(published).find(isNotNull));
  const inside =
    schema instanceof z.ZodObject
      ? Object.entries<Schema>(schema.shape).map(([key, one]) => ({
          at: `${at} ${key}`,
          schema: one,
          published: properties[key],
        }))
      : schema instanceof z.ZodArray
        ? [{ at: `${at} []`, schema: schema.element, published: items }]
        : [];
  return [field, ...inside.flatMap(fieldsOf)];
}

/** The validator of a value that is neither missing nor null. */
function innerSchema(schema: Schema): Schema {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  )
    return innerSchema(schema.unwrap());
  if (schema instanceof z.ZodPipe)
    return innerSchema(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema;
}

const branches = ({ anyOf, oneOf, ...self }: PublishedSchema): PublishedSchema[] =>
  [anyOf, oneOf].find(Array.isArray) ?? [self];

const isNotNull = ({ type }: PublishedSchema): boolean => type !== "null";

const isPublishedNull = (published: PublishedSchema): boolean =>
  branches(published).some(({ type }) => [type].flat().includes("null"));

it("accepts null for exactly the body fields that are documented as nullable", async () => {
  const fields = await loadBodyFields();
  const wrong = fields.filter(
    ({ schema, published }) => z.safeParse(schema, null).success !== isPublishedNull(published),
  );
  expect(wrong.map(({ at }) => at)).toEqual([]);
  expect(fields.length).toBeGreaterThan(900); // fails when the test misses most fields
});
