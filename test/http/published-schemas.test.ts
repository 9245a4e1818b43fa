import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { call } from "../support/world.ts";

const prefixes = ["/api/v1", "/v1/link", "/v1/businesses"] as const;

const documents = await Promise.all(
  prefixes.map(async (prefix) => Object((await call("GET", `${prefix}/openapi.json`)).body)),
);

type PublishedSchema = Readonly<Record<string, unknown>>;

/** Every object of a document with its path; a schema is among them. */
function objectsIn(value: unknown, at: string): [string, PublishedSchema][] {
  if (typeof value !== "object" || value === null) return [];
  const parts = Object.entries(value).flatMap(([name, part]) => objectsIn(part, `${at}/${name}`));
  return Array.isArray(value) ? parts : [[at, { ...value }], ...parts];
}

const objects = documents.flatMap((document, index) => objectsIn(document, prefixes[index] ?? ""));
const isTyped = ({ type }: PublishedSchema) => typeof type === "string" || Array.isArray(type);

const patterns = objects.filter(
  ([, schema]) => isTyped(schema) && typeof schema.pattern === "string",
);
const examples = objects.filter(
  ([, schema]) => isTyped(schema) && "example" in schema && !("properties" in schema),
);

describe("every published pattern", () => {
  it("matches some text, with and without the Unicode mode of regular expressions", () => {
    const wrong = patterns.filter(([, { pattern, example }]) =>
      ["", "u"].some((mode) => {
        const regex = new RegExp(String(pattern), mode);
        const text = example ?? fc.sample(fc.stringMatching(regex), { numRuns: 1, seed: 1 })[0];
        return !regex.test(String(text));
      }),
    );
    expect(wrong.map(([at, { pattern }]) => `${at}: ${pattern}`)).toEqual([]);
    expect(patterns.length).toBeGreaterThan(50); // fails when the test misses most patterns
  });
});

describe("every published example", () => {
  it("is valid by its own schema", () => {
    const wrong = examples.filter(
      ([, { example, ...schema }]) => !z.fromJSONSchema(schema).safeParse(example).success,
    );
    expect(wrong.map(([at, { example }]) => `${at}: ${JSON.stringify(example)}`)).toEqual([]);
    expect(examples.length).toBeGreaterThan(50);
  });
});

describe("every named schema", () => {
  const named = documents.flatMap((document) =>
    Object.entries<PublishedSchema>(document.components.schemas),
  );
  const mayBeNull = ({ type, anyOf, oneOf }: PublishedSchema): boolean =>
    [type].flat().includes("null") ||
    [anyOf, oneOf].some((options) => Array.isArray(options) && options.some(mayBeNull));

  it("is never null itself: each use says whether it may be", () => {
    expect(named.filter(([, schema]) => mayBeNull(schema)).map(([name]) => name)).toEqual([]);
    const uses = objects.filter(([, { anyOf }]) => JSON.stringify(anyOf)?.includes("$ref"));
    expect(uses.map(([at]) => at)).toEqual(
      expect.arrayContaining([
        "/api/v1/components/schemas/Cart/properties/coupon",
        "/api/v1/components/schemas/DealValidation/properties/deal",
        "/v1/link/components/schemas/EnrollAndLinkOrderRequest/properties/address",
        "/v1/businesses/components/schemas/UpdateLocationRequest/properties/address",
      ]),
    );
  });

  it("is what every JSON body and every result with fields refers to", () => {
    const inline = objects.filter(
      ([at, { properties }]) =>
        typeof properties === "object" &&
        properties !== null &&
        /\/(?:requestBody|responses\/20\d)\/content\/application\/json\/schema(?:\/properties\/data)?$/.test(
          at,
        ) &&
        !("success" in properties),
    );
    expect(inline.map(([at]) => at)).toEqual([]);
  });

  it("is used by its document and by nothing else", () => {
    for (const document of documents) {
      const text = JSON.stringify(document);
      const names = Object.keys(document.components.schemas);
      const references = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
        ([, to]) => to,
      );
      expect(new Set(references)).toEqual(new Set(names));
      expect(text).not.toContain("x-nullable");
    }
  });
});

describe("the schema of a coupon code", () => {
  const { code } = documents[2].components.schemas.CreateDealRequest.properties;

  it.each(["TEA-10", "été_2", "茶.1"])("matches %s", (text) => {
    expect(z.fromJSONSchema(code).safeParse(text).success).toBe(true);
  });

  it.each(["", "two words", "a/b", "x".repeat(65)])("does not match %j", (text) => {
    expect(z.fromJSONSchema(code).safeParse(text).success).toBe(false);
  });
});

describe("the schema NextAction", () => {
  it("has the fields of each type, and names the type as the discriminator", () => {
    const { schemas } = documents[0].components;
    expect(schemas.NextAction.discriminator.propertyName).toBe("type");
    const mapping = Object.entries<string>(schemas.NextAction.discriminator.mapping);
    const required = mapping.map(([type, reference]) => {
      const option = schemas[reference.split("/").at(-1) ?? ""];
      expect(Object.keys(option.properties).toSorted()).toEqual(option.required.toSorted());
      return [type, option.required.toSorted()];
    });
    expect(Object.fromEntries(required)).toEqual({
      none: ["type"],
      authorization: ["authorization_type", "display_text", "type"],
      redirect: ["authorization_url", "type"],
      await: ["display_text", "type"],
    });
  });
});
