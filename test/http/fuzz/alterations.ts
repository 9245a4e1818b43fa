import fc from "fast-check";
import type { Operation, Schema } from "../operations.ts";
import { hostileValue } from "./hostile.ts";

/** Where a value stands in another one, from the outside in. */
type Place = readonly (string | number)[];

/** What becomes of one value. */
export type Alteration =
  | Readonly<{ how: "replace"; by: unknown }>
  | Readonly<{ how: "remove" }>
  | Readonly<{ how: "wrap" }>
  | Readonly<{ how: "join"; name: string; by: unknown }>;

const oddNames = ["__proto__", "constructor", "toString", "", "\u0000", "id", "x".repeat(500)];

export const alterationOf: fc.Arbitrary<Alteration> = fc.oneof(
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

/** Every place of a body: those that hold something, and the fields that its schema has besides. */
export function placesIn(body: unknown, operation: Operation): Place[] {
  const held = placesOf(body, []);
  const schema = operation.content["application/json"]?.schema ?? {};
  const more = fieldsOf(operation.resolve(schema), operation).map((name) => [name]);
  return [...held, ...more.filter(([name]) => !Object.hasOwn(Object(body), name ?? ""))];
}

const placesOf = (value: unknown, place: Place): Place[] => [
  place,
  ...(value !== null && typeof value === "object"
    ? Object.entries(value).flatMap(([key, part]) => placesOf(part, [...place, key]))
    : []),
];

const fieldsOf = ({ properties = {}, allOf = [] }: Schema, operation: Operation): string[] => [
  ...Object.keys(properties),
  ...allOf.flatMap((part) => fieldsOf(operation.resolve(part), operation)),
];

/** The value with the one at the place altered. */
export function altered(value: unknown, place: Place, alteration: Alteration): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return alteredWhole(value, alteration);
  if (Array.isArray(value)) {
    return value.flatMap((part, at) => {
      if (String(at) !== String(key)) return [part];
      return isRemoved(rest, alteration) ? [] : [altered(part, rest, alteration)];
    });
  }
  const fields = new Map(Object.entries(Object(value)));
  if (isRemoved(rest, alteration)) fields.delete(String(key));
  else fields.set(String(key), altered(fields.get(String(key)), rest, alteration));
  return Object.fromEntries(fields);
}

const isRemoved = (rest: Place, { how }: Alteration): boolean =>
  how === "remove" && rest.length === 0;

function alteredWhole(value: unknown, alteration: Alteration): unknown {
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
