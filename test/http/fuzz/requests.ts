import fc from "fast-check";
import { foreignCalls } from "../foreign-calls.ts";
import { plain, type Row } from "../foreign-row.ts";
import type { Kind } from "../foreign-world.ts";
import type { Operation } from "../operations.ts";
import { type Alteration, alterationOf, altered, placesIn } from "./alterations.ts";
import { furtherRows } from "./further-rows.ts";
import { hostileBody, hostileHeader, hostileQuery, hostileSegment } from "./hostile.ts";
import { filled, idOf, jsonText } from "./tokens.ts";
import { validValue } from "./valid.ts";

/** A request as it is sent, but for the world's identifiers, which stand in it as tokens. */
export type FuzzedRequest = Readonly<{
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  /** Without a login, where a login would do. */
  isGuests: boolean;
}>;

/** What a caller of good will sends: paths and queries as texts, a body as a value. */
type Plain = Readonly<{
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  isGuests: boolean;
}>;

/** Requests to an operation: as its own schemas have it, and then changed here and there. */
export function requestsOf(operation: Operation): fc.Arbitrary<FuzzedRequest> {
  return fc
    .record({
      plain: plainOf(operation),
      changes: changesOf(operation),
      headers: fc.oneof(
        { weight: 5, arbitrary: fc.constant([]) },
        { weight: 2, arbitrary: fc.array(hostileHeader, { minLength: 1, maxLength: 2 }) },
      ),
      search: sometimes(9, hostileQuery),
      body: sometimes(9, hostileBody),
    })
    .map(({ plain, changes, headers, search, body }) =>
      written(operation, changes.reduce(changed, { ...plain, operation, repeated: [] }), {
        headers: Object.fromEntries(headers),
        search,
        body,
      }),
    );
}

/** What each row of the tables of identifiers asks, unchanged: the requests that reach deepest. */
export const deepRequestsOf = (operation: Operation): FuzzedRequest[] =>
  rowsOf(operation).map((row) => {
    const plain = { ...ofRow(operation, row), operation, repeated: [] };
    return written(operation, plain, { headers: {}, search: null, body: null });
  });

const sometimes = <T>(never: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: never, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

function rowsOf({ id }: Operation): readonly Row[] {
  const rows = [...(foreignCalls[id] ?? []), ...(furtherRows[id] ?? [])];
  return rows.length > 0 ? rows : plain;
}

/** One of the operation's rows, or what its schemas allow, or the one filled up with the other. */
function plainOf(operation: Operation): fc.Arbitrary<Plain> {
  const generated = fc.record({
    path: fc.constant(pathOf(operation, {})),
    query: queryOf(operation),
    body: bodyOf(operation),
    isGuests: fc.boolean(),
  });
  const rows = rowsOf(operation).map((row) => ofRow(operation, row));
  return fc.oneof(
    fc.constantFrom(...rows),
    fc.tuple(fc.constantFrom(...rows), generated).map(
      ([row, { query, body }]): Plain => ({
        ...row,
        query: { ...query, ...row.query },
        body: row.body === undefined ? body : { ...Object(body), ...Object(row.body) },
      }),
    ),
  );
}

function ofRow(operation: Operation, row: Row): Plain {
  return {
    path: pathOf(operation, row),
    query: row.query?.(idOf) ?? {},
    body: row.body?.(idOf) ?? (operation.takesJson ? {} : undefined),
    isGuests: row.as === "guest",
  };
}

const pathOf = ({ pathParameters }: Operation, { path = {} }: Row): Record<string, string> =>
  Object.fromEntries(
    pathParameters.map((name) => [name, idOf(path[name] ?? (name as Kind))]), // safe: an unknown one is nobody's
  );

function queryOf({ parameters, resolve }: Operation): fc.Arbitrary<Record<string, unknown>> {
  const queries = parameters.filter((parameter) => parameter.in === "query");
  return fc.record(
    Object.fromEntries(
      queries.map(({ name, schema }) => [name, validValue(schema, { name, resolve })]),
    ),
    {
      requiredKeys: queries.filter(({ required }) => required).map(({ name }) => name),
      noNullPrototype: true,
    },
  );
}

function bodyOf({ content, takesJson, resolve }: Operation): fc.Arbitrary<unknown> {
  const schema = content["application/json"]?.schema;
  return takesJson && schema ? validValue(schema, { name: "", resolve }) : fc.constant(undefined);
}

type Changing = Plain & Readonly<{ operation: Operation; repeated: readonly string[] }>;

type Change =
  | Readonly<{ of: "path"; name: string; segment: string }>
  | Readonly<{ of: "repeat"; name: string }>
  | Readonly<{ of: "query"; name: string; alteration: Alteration }>
  | Readonly<{ of: "body"; at: number; alteration: Alteration }>;

/** Mostly one change, so that nothing else hides what it does. */
function changesOf(operation: Operation): fc.Arbitrary<readonly Change[]> {
  const change = changeOf(operation);
  if (!change) return fc.constant([]);
  return fc.oneof<fc.MaybeWeightedArbitrary<readonly Change[]>[]>(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 5, arbitrary: fc.tuple(change) },
    { weight: 2, arbitrary: fc.array(change, { minLength: 2, maxLength: 3 }) },
  );
}

function changeOf({ parameters, takesJson }: Operation): fc.Arbitrary<Change> | null {
  const names = (place: "path" | "query") =>
    parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
  const [paths, queries] = [names("path").filter((name) => name !== "business_id"), names("query")];
  const ways = [
    {
      names: paths,
      weight: 2,
      change: (name: fc.Arbitrary<string>) =>
        fc.record({ of: fc.constant("path" as const), name, segment: hostileSegment }),
    },
    {
      names: queries,
      weight: 4,
      change: (name: fc.Arbitrary<string>) =>
        fc.record({ of: fc.constant("query" as const), name, alteration: alterationOf }),
    },
    {
      names: queries,
      weight: 1,
      change: (name: fc.Arbitrary<string>) =>
        fc.record({ of: fc.constant("repeat" as const), name }),
    },
  ]
    .filter((way) => way.names.length > 0)
    .map(({ names, weight, change }) => ({
      weight,
      arbitrary: change(fc.constantFrom(...names)) as fc.Arbitrary<Change>, // safe: each is one of its kinds
    }));
  const ofBody = fc.record({
    of: fc.constant("body" as const),
    at: fc.nat({ max: 10_000 }),
    alteration: alterationOf,
  });
  if (takesJson) ways.push({ weight: 9, arbitrary: ofBody });
  return ways.length > 0 ? fc.oneof(...ways) : null;
}

function changed(plain: Changing, change: Change): Changing {
  switch (change.of) {
    case "path":
      return { ...plain, path: { ...plain.path, [change.name]: change.segment } };
    case "repeat":
      return { ...plain, repeated: [...plain.repeated, change.name] };
    case "query":
      return {
        ...plain,
        query: Object(altered(plain.query, [change.name], change.alteration)),
      };
    case "body": {
      const places = placesIn(plain.body, plain.operation);
      const place = places[change.at % places.length] ?? [];
      return { ...plain, body: altered(plain.body, place, change.alteration) };
    }
  }
}

function written(
  operation: Operation,
  { path, query, body, isGuests, repeated }: Changing,
  odd: Readonly<{ headers: Record<string, string>; search: string | null; body: string | null }>,
): FuzzedRequest {
  const isCsv = "text/csv" in operation.content;
  const text = odd.body ?? (operation.takesJson ? jsonText(body) : isCsv ? productFile : null);
  const type = isCsv ? "text/csv" : "application/json";
  const sendsBody = operation.method !== "GET" && text !== null;
  return {
    path: operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => path[name] ?? "") + searchOf(),
    headers: { ...(sendsBody && { "Content-Type": type }), ...odd.headers },
    body: sendsBody ? text : null,
    isGuests,
  };

  function searchOf(): string {
    const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, asQuery(value)]],
    );
    const more = repeated.map((name): [string, string] => [name, asQuery(query[name] ?? "")]);
    const search = new URLSearchParams([...pairs, ...more]).toString();
    return `?${[search, odd.search ?? ""].filter(Boolean).join("&")}`.replace(/^\?$/, "");
  }
}

const productFile = "Handle,Title,Variant Price\nfuzzed,Fuzzed,5\n";

const asQuery = (value: unknown): string => (typeof value === "string" ? value : jsonText(value));

/** The request with the world's identifiers in it; in a query the tokens' braces stand encoded. */
export function sent(
  { path, headers, body }: FuzzedRequest,
  ids: Readonly<Record<string, string>>,
): { path: string; headers: Record<string, string>; raw?: string } {
  const plain = path.replaceAll("%7B%7B", "{{").replaceAll("%7D%7D", "}}");
  return {
    path: filled(plain, ids),
    headers,
    ...(body !== null && { raw: filled(body, ids) }),
  };
}
