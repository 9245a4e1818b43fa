import fc from "fast-check";
import type { Operation, Schema } from "../operations.ts";
import { hostileValue } from "./hostile-values.ts";

/** The path of a value within another, from the outside in. */
type ValuePath = readonly (string | number)[];

/** One change of a value. */
export type Alteration =
  | Readonly<{ how: "replace"; by: unknown }>
  | Readonly<{ how: "remove" }>
  | Readonly<{ how: "wrap" }>
  | Readonly<{ how: "join"; name: string; by: unknown }>;

const oddNames = ["__proto__", "constructor", "toString", "", "\u0000", "id", "x".repeat(500)];

export const arbitraryAlteration: fc.Arbitrary<Alteration> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ how: fc.constant("replace" as const), by: hostileValue }),
  },
  { weight: 1, arbitrary: fc.constant({ how: "remove" as const }) },
  { weight: 1, arbitrary: fc.constant({ how: "wrap" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      how: fc.constant("join" as const),
      name: fc.constantFrom(...oddNames),
      by: hostileValue,
    }),
  },
);

/** Every path in a body: those with a value, and the missing fields of its schema. */
export function valuePaths(body: unknown, operation: Operation): ValuePath[] {
  const held = pathsOf(body, []);
  const schema = operation.content["application/json"]?.schema ?? {};
  const more = schemaFields(operation.resolve(schema), operation).map((name) => [name]);
  return [...held, ...more.filter(([name]) => !Object.hasOwn(Object(body), name ?? ""))];
}

const pathsOf = (value: unknown, place: ValuePath): ValuePath[] => [
  place,
  ...(value !== null && typeof value === "object"
    ? Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...place, key]))
    : []),
];

const schemaFields = ({ properties = {}, allOf = [] }: Schema, operation: Operation): string[] => [
  ...Object.keys(properties),
  ...allOf.flatMap((part) => schemaFields(operation.resolve(part), operation)),
];

/** Alters the value at the path. */
export function withAlteration(value: unknown, place: ValuePath, alteration: Alteration): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return alterValue(value, alteration);
  if (Array.isArray(value)) {
    return value.flatMap((part, at) => {
      if (String(at) !== String(key)) return [part];
      return isRemoved(rest, alteration) ? [] : [withAlteration(part, rest, alteration)];
    });
  }
  const fields = new Map(Object.entries(Object(value)));
  if (isRemoved(rest, alteration)) fields.delete(String(key));
  else fields.set(String(key), withAlteration(fields.get(String(key)), rest, alteration));
  return Object.fromEntries(fields);
}

const isRemoved = (rest: ValuePath, { how }: Alteration): boolean =>
  how === "remove" && rest.length === 0;

function alterValue(value: unknown, alteration: Alteration): unknown {
  switch (alteration.how) {
    case "replace":
      return alteration.by;
    case "remove":
      return undefined;
    case "wrap":
      return [value];
    case "join":
      return typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries([...Object.entries(value), [alteration.name, alteration.by]])
        : { [alteration.name]: alteration.by };
  }
}
