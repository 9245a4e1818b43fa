import { canonicalJson, isDeeperThan } from "../../../shared/kernel/index.ts";
import { type AnySchema, schemaAt, type UnknownField } from "./find-unknown-fields.ts";

/** Times and counters, which may have changed since the caller read the record. */
const isKeptByService = (name: string): boolean => /_(?:at|count)$|^times_redeemed$/.test(name);

/** Whether the record of a response has a field at the path. */
export const isFieldOf = (record: AnySchema, path: readonly string[]): boolean =>
  path.reduce<AnySchema | null>((schema, name) => schema && schemaAt(schema, name), record) !==
  null;

/**
 * The fields that were sent with another value than the stored record has. A record may be written
 * back as it was read, so equal values are no attempt to change a field.
 */
export const changedFields = (
  fields: readonly UnknownField[],
  { sent, record }: Readonly<{ sent: unknown; record: unknown }>,
): UnknownField[] =>
  fields.filter(
    ({ path, value }) =>
      !isKeptByService(path.at(-1) ?? "") && !isSame(value, storedValue(record, sent, path)),
  );

const maxComparedDepth = 32;

const isSame = (sent: unknown, stored: unknown): boolean =>
  !isDeeperThan(maxComparedDepth, sent) && canonicalJson(sent) === canonicalJson(stored);

/** The stored value of a field; an entry of a list is found by its id, without one by its place. */
function storedValue(record: unknown, sent: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return record;
  const sentPart = fieldOf(sent, name);
  const storedPart =
    Array.isArray(record) && idOf(sentPart) !== undefined
      ? record.find((entry) => idOf(entry) === idOf(sentPart))
      : fieldOf(record, name);
  return storedValue(storedPart, sentPart, rest);
}

const fieldOf = (value: unknown, name: string): unknown =>
  Object.hasOwn(Object(value), name) ? Object(value)[name] : undefined;

const idOf = (entry: unknown): unknown => Object(entry).id ?? Object(entry).component_id;
