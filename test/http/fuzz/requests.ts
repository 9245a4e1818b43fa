import fc from "fast-check";
import { smallestExport } from "../../support/smallest-export.ts";
import type { RecordKind } from "../create-customer-records.ts";
import type { Operation } from "../operations.ts";
import { type SampleRequest, withoutFields } from "../sample-requests/sample-request.ts";
import { sampleRequests } from "../sample-requests/sample-requests.ts";
import { requestsWithoutForeignIds } from "../sample-requests/without-foreign-ids.ts";
import { type Alteration, arbitraryAlteration, valuePaths, withAlteration } from "./alterations.ts";
import { hostileBody, hostileHeader, hostileQuery, hostileSegment } from "./hostile-values.ts";
import { fillPlaceholders, jsonText, placeholderOf } from "./id-placeholders.ts";
import { validValue } from "./valid-values.ts";

/** A request with placeholders for record identifiers. */
export type FuzzedRequest = Readonly<{
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  /** Without a login, where a login would do. */
  isGuest: boolean;
}>;

/** A valid request: path and query as texts, the body as a value. */
type ValidRequest = Readonly<{
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  isGuests: boolean;
}>;

/** Requests that follow the operation's schemas, with random changes. */
export function arbitraryRequests(operation: Operation): fc.Arbitrary<FuzzedRequest> {
  return fc
    .record({
      plain: validRequests(operation),
      changes: arbitraryChanges(operation),
      headers: fc.oneof(
        { weight: 5, arbitrary: fc.constant([]) },
        { weight: 2, arbitrary: fc.array(hostileHeader, { minLength: 1, maxLength: 2 }) },
      ),
      search: sometimes(9, hostileQuery),
      body: sometimes(9, hostileBody),
    })
    .map(({ plain, changes, headers, search, body }) =>
      toFuzzedRequest(
        operation,
        changes.reduce(withChange, { ...plain, operation, repeated: [] }),
        {
          headers: Object.fromEntries(headers),
          search,
          body,
        },
      ),
    );
}

/** The sample requests of an operation, unchanged: they get furthest. */
export const sampleFuzzRequests = (operation: Operation): FuzzedRequest[] =>
  sampleRequestsFor(operation).map((row) => {
    const plain = { ...toValidRequest(operation, row), operation, repeated: [] };
    return toFuzzedRequest(operation, plain, { headers: {}, search: null, body: null });
  });

const sometimes = <T>(never: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: never, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

function sampleRequestsFor({ id }: Operation): readonly SampleRequest[] {
  const rows = [...(sampleRequests[id] ?? []), ...(requestsWithoutForeignIds[id] ?? [])];
  return rows.length > 0 ? rows : withoutFields;
}

/** A sample request, a generated one, or a mix of both. */
function validRequests(operation: Operation): fc.Arbitrary<ValidRequest> {
  const generated = fc.record({
    path: fc.constant(validPath(operation, {})),
    query: validQueries(operation),
    body: validBodies(operation),
    isGuests: fc.boolean(),
  });
  const rows = sampleRequestsFor(operation).map((row) => toValidRequest(operation, row));
  return fc.oneof(
    fc.constantFrom(...rows),
    fc.tuple(fc.constantFrom(...rows), generated).map(
      ([row, { query, body }]): ValidRequest => ({
        ...row,
        query: { ...query, ...row.query },
        body: row.body === undefined ? body : { ...Object(body), ...Object(row.body) },
      }),
    ),
  );
}

function toValidRequest(operation: Operation, row: SampleRequest): ValidRequest {
  return {
    path: validPath(operation, row),
    query: row.query?.(placeholderOf) ?? {},
    body: row.body?.(placeholderOf) ?? (operation.takesJson ? {} : undefined),
    isGuests: row.as === "guest",
  };
}

const validPath = (
  { pathParameters }: Operation,
  { path = {} }: SampleRequest,
): Record<string, string> =>
  Object.fromEntries(
    pathParameters.map((name) => [name, placeholderOf(path[name] ?? (name as RecordKind))]), // safe: an unknown kind has no identifier
  );

function validQueries({ parameters, resolve }: Operation): fc.Arbitrary<Record<string, unknown>> {
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

function validBodies({ content, takesJson, resolve }: Operation): fc.Arbitrary<unknown> {
  const schema = content["application/json"]?.schema;
  return takesJson && schema ? validValue(schema, { name: "", resolve }) : fc.constant(undefined);
}

type RequestDraft = ValidRequest & Readonly<{ operation: Operation; repeated: readonly string[] }>;

type RequestChange =
  | Readonly<{ of: "path"; name: string; segment: string }>
  | Readonly<{ of: "repeat"; name: string }>
  | Readonly<{ of: "query"; name: string; alteration: Alteration }>
  | Readonly<{ of: "body"; at: number; alteration: Alteration }>;

/** Mostly one change, so that its effect is not hidden by another. */
function arbitraryChanges(operation: Operation): fc.Arbitrary<readonly RequestChange[]> {
  const change = arbitraryChange(operation);
  if (!change) return fc.constant([]);
  return fc.oneof<fc.MaybeWeightedArbitrary<readonly RequestChange[]>[]>(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 5, arbitrary: fc.tuple(change) },
    { weight: 2, arbitrary: fc.array(change, { minLength: 2, maxLength: 3 }) },
  );
}

function arbitraryChange({ parameters, takesJson }: Operation): fc.Arbitrary<RequestChange> | null {
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
        fc.record({ of: fc.constant("query" as const), name, alteration: arbitraryAlteration }),
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
      arbitrary: change(fc.constantFrom(...names)) as fc.Arbitrary<RequestChange>, // safe: each is one of its kinds
    }));
  const ofBody = fc.record({
    of: fc.constant("body" as const),
    at: fc.nat({ max: 10_000 }),
    alteration: arbitraryAlteration,
  });
  if (takesJson) ways.push({ weight: 9, arbitrary: ofBody });
  return ways.length > 0 ? fc.oneof(...ways) : null;
}

function withChange(plain: RequestDraft, change: RequestChange): RequestDraft {
  switch (change.of) {
    case "path":
      return { ...plain, path: { ...plain.path, [change.name]: change.segment } };
    case "repeat":
      return { ...plain, repeated: [...plain.repeated, change.name] };
    case "query":
      return {
        ...plain,
        query: Object(withAlteration(plain.query, [change.name], change.alteration)),
      };
    case "body": {
      const places = valuePaths(plain.body, plain.operation);
      const place = places[change.at % places.length] ?? [];
      return { ...plain, body: withAlteration(plain.body, place, change.alteration) };
    }
  }
}

function toFuzzedRequest(
  operation: Operation,
  { path, query, body, isGuests, repeated }: RequestDraft,
  odd: Readonly<{ headers: Record<string, string>; search: string | null; body: string | null }>,
): FuzzedRequest {
  const file = fileOf(operation);
  const text = odd.body ?? (operation.takesJson ? jsonText(body) : (file?.text ?? null));
  const type = file?.type ?? "application/json";
  const sendsBody = operation.method !== "GET" && text !== null;
  return {
    path: operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => path[name] ?? "") + searchOf(),
    headers: { ...(sendsBody && { "Content-Type": type }), ...odd.headers },
    body: sendsBody ? text : null,
    isGuest: isGuests,
  };

  function searchOf(): string {
    const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, queryText(value)]],
    );
    const more = repeated.map((name): [string, string] => [name, queryText(query[name] ?? "")]);
    const search = new URLSearchParams([...pairs, ...more]).toString();
    return `?${[search, odd.search ?? ""].filter(Boolean).join("&")}`.replace(/^\?$/, "");
  }
}

const exportType = "application/x-ndjson";

/** The file of an operation that takes one; null for others. */
function fileOf({ content }: Operation): Readonly<{ type: string; text: string }> | null {
  if ("text/csv" in content) return { type: "text/csv", text: productFile };
  if (exportType in content) return { type: exportType, text: smallestExport };
  if ("multipart/form-data" in content)
    return { type: `multipart/form-data; boundary=${formBoundary}`, text: imageForm };
  return null;
}

const productFile = "Handle,Title,Variant Price\nmint-tea,Mint tea,5\n";

const formBoundary = "fuzzed-form";
const imageForm = [
  `--${formBoundary}`,
  'Content-Disposition: form-data; name="file"; filename="fuzzed.gif"',
  "Content-Type: image/gif",
  "",
  "GIF89a",
  `--${formBoundary}--`,
  "",
].join("\r\n");

const queryText = (value: unknown): string => (typeof value === "string" ? value : jsonText(value));

/** Replaces the placeholders by record identifiers; in a query their braces are encoded. */
export function withIds(
  { path, headers, body }: FuzzedRequest,
  ids: Readonly<Record<string, string>>,
): { path: string; headers: Record<string, string>; rawBody?: string } {
  const plain = path.replaceAll("%7B%7B", "{{").replaceAll("%7D%7D", "}}");
  return {
    path: fillPlaceholders(plain, ids),
    headers,
    ...(body !== null && { rawBody: fillPlaceholders(body, ids) }),
  };
}
