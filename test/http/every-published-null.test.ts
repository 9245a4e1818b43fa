/// <reference types="vite/client" />
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { expect, it } from "vitest";

const files = import.meta.glob<Record<string, unknown>>(
  "../../functions/{storefront,link,business}/routes/*.ts",
);

type Schema = z.core.$ZodType;
type Published = Record<string, unknown>;

/** A field of a request's body: what validates it, and what the document says of it. */
type Field = Readonly<{ at: string; schema: Schema; published: Published }>;

const json = "application/json";

async function bodies(): Promise<Field[]> {
  const modules = await Promise.all(Object.values(files).map((load) => load()));
  return modules.flatMap((module) =>
    Object.values(module).flatMap((app) => (app instanceof OpenAPIHono ? bodiesOf(app) : [])),
  );
}

function bodiesOf(app: OpenAPIHono): Field[] {
  const { paths, components } = Object(
    app.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "", version: "" } }),
  );
  return app.openAPIRegistry.definitions.flatMap((definition) => {
    if (definition.type !== "route") return [];
    const { method, path, request } = definition.route;
    const { schema } = Object(request?.body?.content[json]);
    if (!(schema instanceof z.ZodType)) return [];
    const row = paths[path.replaceAll(/:(\w+)/g, "{$1}")][method];
    const published = inFull(row.requestBody.content[json].schema, components);
    return fieldsOf({ at: `${method} ${path}`, schema, published });
  });
}

/** A document's schema without references: what they name stands in their place. */
function inFull(schema: unknown, components: Published): Published {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    const name = /^#\/components\/schemas\/(.+)$/.exec(String(Object(value).$ref))?.[1];
    return name === undefined ? value : inFull(Object(components).schemas[name], components);
  });
}

/** A field, and those within it. */
function fieldsOf(field: Field): Field[] {
  const { at, published } = field;
  const schema = bare(field.schema);
  const { properties = {}, items } = Object(branches(published).find(isNoNull));
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

/** What is validated where the field is there, and no null. */
function bare(schema: Schema): Schema {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  )
    return bare(schema.unwrap());
  if (schema instanceof z.ZodPipe)
    return bare(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema;
}

const branches = ({ anyOf, oneOf, ...self }: Published): Published[] =>
  [anyOf, oneOf].find(Array.isArray) ?? [self];

const isNoNull = ({ type }: Published): boolean => type !== "null";

const isPublishedNull = (published: Published): boolean =>
  branches(published).some(({ type }) => [type].flat().includes("null"));

it("each field of each body may be null exactly where its document says so", async () => {
  const fields = await bodies();
  const wrong = fields.filter(
    ({ schema, published }) => z.safeParse(schema, null).success !== isPublishedNull(published),
  );
  expect(wrong.map(({ at }) => at)).toEqual([]);
  expect(fields.length).toBeGreaterThan(900); // else this test sees less than there is
});
