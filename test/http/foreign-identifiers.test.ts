import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { readSessionStorage } from "../support/sessions.ts";
import { type ApiResponse, createBusiness, createBusinessOnSameShard } from "../support/world.ts";
import { createBusinessRecords } from "./create-business-records.ts";
import {
  type CustomerRecords,
  createCustomerRecords,
  customerRecordKinds,
  type RecordIds,
  type RecordKind,
  unknownIds,
} from "./create-customer-records.ts";
import {
  byId,
  callerOf,
  isOperatorCall,
  listOperations,
  type Operation,
  takesSecretKey,
} from "./operations.ts";
import { openAllLocationsAllDay, raiseRateLimits } from "./prepare-business.ts";
import type { ForeignIdOutcome, SampleRequest } from "./sample-requests/sample-request.ts";
import {
  fieldsWithoutRecords,
  idLookup,
  operationsWithoutIds,
  sampleRequests,
} from "./sample-requests/sample-requests.ts";

const operations = await listOperations();
const requestsFor = ({ id }: Operation): readonly SampleRequest[] => sampleRequests[id] ?? [];

/**
 * Records of the caller, of another customer of the same business, and of another business on the
 * same shard.
 */
let ownRecords: RecordIds;
let otherCustomer: RecordIds;
let otherBusiness: RecordIds;
let unknownRecords: RecordIds;
let callingCustomer: CustomerRecords;
let otherBusinessCustomer: CustomerRecords;
let otherSessionIds: string[];
let databasesBefore: string[];

beforeAll(async () => {
  const shop = await createBusiness();
  const other = await createBusinessOnSameShard(shop);
  await Promise.all(
    [shop, other].flatMap((one) => [raiseRateLimits(one), openAllLocationsAllDay(one)]),
  );
  const [belongings, others] = [
    await createBusinessRecords(shop),
    await createBusinessRecords(other),
  ];
  callingCustomer = await createCustomerRecords(shop, belongings, "+233241000001");
  const customer = await createCustomerRecords(shop, belongings, "+233241000002");
  otherBusinessCustomer = await createCustomerRecords(other, others, "+233241000003");
  ownRecords = { ...belongings, ...callingCustomer.ids };
  otherCustomer = { ...belongings, ...customer.ids };
  otherBusiness = { ...others, ...otherBusinessCustomer.ids };
  unknownRecords = unknownIds(ownRecords);
  otherSessionIds = [customer, otherBusinessCustomer].map(({ sessionId }) => sessionId);
  databasesBefore = await readDatabases();
}, 60_000);

describe("the sample requests", () => {
  it("cover every operation of the documents, and no other", () => {
    expect([...Object.keys(sampleRequests), ...operationsWithoutIds].sort()).toEqual(
      operations.map(({ id }) => id).sort(),
    );
  });

  // The operator's token gives access to every business.
  const scoped = operations.filter((operation) => !isOperatorCall(operation));

  it.each(byId(scoped))("fill every identifier that %s accepts", (_, operation) => {
    const filled = new Set(requestsFor(operation).flatMap(filledFieldNames));
    const taken = operation.identifiers.filter(
      (name) => !fieldsWithoutRecords.has(name) && !isNewPart(operation, name),
    );
    expect(taken.filter((name) => !filled.has(name))).toEqual([]);
  });
});

const operationsWithIds = operations.filter((operation) => requestsFor(operation).length > 0);

describe.each(byId(operationsWithIds))("%s", (_, operation) => {
  const cases = requestsFor(operation).flatMap((row) => foreignIdCases(operation, row));

  it("treats another business's identifiers like unknown ones", async () => {
    for (const one of cases) await assertSameAsUnknownId(operation, one, otherBusiness);
  });
});

describe.each(byId(operationsWithIds.filter((operation) => customerCases(operation).length > 0)))(
  "%s",
  (_, operation) => {
    it("treats another customer's identifiers like unknown ones", async () => {
      for (const one of customerCases(operation))
        await assertSameAsUnknownId(operation, one, otherCustomer);
    });
  },
);

/** Whether only the operator or a provider's signature gives access. */
const takesNoKey = (operation: Operation) =>
  isOperatorCall(operation) ||
  operation.security.every((way) => "paystackSignature" in way || "stripeSignature" in way);

describe.each(
  byId(
    operations.filter(
      (operation) => operation.path.includes("{business_id}") && !takesNoKey(operation),
    ),
  ),
)("%s", (_, operation) => {
  it("is 403 on another business's path, as on an unknown business's", async () => {
    for (const { business_id } of [otherBusiness, unknownRecords]) {
      const path = operation.path
        .replace("{business_id}", business_id)
        .replaceAll(/\{\w+\}/g, otherBusiness.order_id);
      const options = operation.takesJson ? { body: {} } : {};
      const answer = await callingCustomer.asks.merchant(operation.method, path, options);
      expect(answer).toMatchObject(forbidden);
    }
  });
});

describe("after all these requests", () => {
  it("no database and no other session has changed", async () => {
    expect(await readDatabases()).toEqual(databasesBefore);
  });

  it.each(byId(operationsWithIds.filter(({ method }) => method === "GET")))(
    "the owner can still read %s",
    async (_, operation) => {
      for (const row of requestsFor(operation)) {
        const answer = await ask(otherBusinessCustomer, operation, row, otherBusiness);
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      }
    },
  );
});

/** Cases between customers of one business; a merchant may read all of them. */
function customerCases(operation: Operation): ForeignIdCase[] {
  if (takesSecretKey(operation)) return [];
  return requestsFor(operation).flatMap((row) =>
    foreignIdCases(operation, row, customerRecordKinds),
  );
}

const forbidden = {
  status: 403,
  body: {
    success: false,
    error: { code: "FORBIDDEN", message: "The key does not serve this business." },
  },
};

/** A new bundle or composite has no components yet, so no body can name one. */
const isNewPart = ({ method, path }: Operation, name: string) =>
  method === "POST" && name === "component_id" && /\/(?:bundles|composites)$/.test(path);

type ForeignIdCase = Readonly<{
  row: SampleRequest;
  /** The identifiers that belong to somebody else; the others are the caller's. */
  kinds: readonly RecordKind[];
  /** Accepted outcomes: with several foreign identifiers any of them may be found first. */
  outcomes: readonly ForeignIdOutcome[];
  /** Outcomes for another customer's record that differ from those for an unknown identifier. */
  otherCustomerOutcomes: readonly ForeignIdOutcome[] | null;
}>;

/** One case for each foreign identifier, and one in which all identifiers are foreign. */
function foreignIdCases(
  operation: Operation,
  row: SampleRequest,
  among?: ReadonlySet<RecordKind>,
): ForeignIdCase[] {
  const kinds = recordKindsIn(operation, row).filter((kind) => among?.has(kind) ?? true);
  const outcomeOf = (kind: RecordKind) => row.outcomes?.[kind] ?? "not found";
  const each = kinds.map((kind): ForeignIdCase => {
    const outcome = row.otherCustomerOutcomes?.[kind];
    return {
      row,
      kinds: [kind],
      outcomes: [outcomeOf(kind)],
      otherCustomerOutcomes: outcome === undefined ? null : [outcome],
    };
  });
  if (kinds.length < 2) return each;
  const refusals = kinds.map(outcomeOf).filter((outcome) => !/taken|nothing/.test(`${outcome}`));
  const outcomes = refusals.length > 0 ? refusals : kinds.map(outcomeOf);
  return [...each, { row, kinds, outcomes, otherCustomerOutcomes: null }];
}

/** The record kinds in a request, those of its path first. */
function recordKindsIn({ pathParameters }: Operation, row: SampleRequest): RecordKind[] {
  const kinds = new Set<RecordKind>();
  for (const name of pathParameters)
    if (name !== "business_id") kinds.add(recordKindFor(name, row));
  const addKind = (kind: RecordKind) => {
    kinds.add(kind);
    return kind;
  };
  row.query?.(addKind);
  row.body?.(addKind);
  return [...kinds];
}

function recordKindFor(parameter: string, { path }: SampleRequest): RecordKind {
  return path?.[parameter] ?? (parameter as RecordKind); // safe: an unknown kind has no identifier, and the call fails
}

/** The field names of query and body, at any depth, that the request fills. */
function filledFieldNames(row: SampleRequest): string[] {
  const name = (kind: RecordKind) => kind;
  return [...fieldNamesIn(row.query?.(name)), ...fieldNamesIn(row.body?.(name))];
}

const fieldNamesIn = (value: unknown): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, part]) => [key, ...fieldNamesIn(part)])
    : [];

async function assertSameAsUnknownId(
  operation: Operation,
  one: ForeignIdCase,
  theirs: RecordIds,
): Promise<void> {
  const { row, kinds } = one;
  if (grantsAccess(kinds, theirs)) return;
  const mixed = (ids: RecordIds): RecordIds => ({
    ...ownRecords,
    ...Object.fromEntries(kinds.map((kind) => [kind, ids[kind]])),
  });
  const answerTo = async (ids: RecordIds) => {
    const answer = await ask(callingCustomer, operation, row, mixed(ids));
    return { ...answer, masked: withoutIds(answer, mixed(ids)) };
  };
  const foreign = await answerTo(theirs);
  const outcomes = (theirs === otherCustomer && one.otherCustomerOutcomes) || one.outcomes;
  expect(outcomes, `${kinds.join(", ")}: ${foreign.masked}`).toContain(outcomeOf(foreign));
  if (outcomes !== one.outcomes) return;
  expect(foreign.masked, kinds.join(", ")).toBe((await answerTo(unknownRecords)).masked);
}

/** A caller who has an order's token and its identifiers may use the order, its payment and bookings. */
const grantsAccess = (kinds: readonly RecordKind[], theirs: RecordIds): boolean =>
  (["order_id", "booking_id", "payment_id"] as const).some((kind) => kinds.includes(kind)) &&
  kinds.includes("bill_token") &&
  (theirs === otherCustomer || kinds.includes("business_id"));

function outcomeOf({ status, body }: ApiResponse): ForeignIdOutcome {
  const { data, error } = Object(body);
  if (status === 404 && error?.code === "NOT_FOUND") return "not found";
  if (status === 400 && error?.code === "VALIDATION_ERROR") return "refused";
  const listed = data?.items ?? data;
  if (status === 200 && Array.isArray(listed) && listed.length === 0) return "nothing";
  if (status === 200 && isEmptyCsv(body)) return "nothing";
  if (status === 422) return `422 ${error?.context?.rule}`;
  return status === 200 ? "taken" : status;
}

/** Whether a CSV file has no line after its header. */
const isEmptyCsv = (body: unknown): boolean =>
  typeof body === "string" && body.indexOf("\r\n") === body.length - 2;

/** Status and body, with each identifier replaced by the name of its kind. */
function withoutIds({ status, body }: ApiResponse, sent: RecordIds): string {
  const text = Object.entries(sent).reduce(
    (text, [kind, id]) => text.replaceAll(id, kind),
    JSON.stringify(body),
  );
  return `${status} ${text}`;
}

function ask(
  by: CustomerRecords,
  operation: Operation,
  row: SampleRequest,
  ids: RecordIds,
): Promise<ApiResponse> {
  const name = idLookup(ids);
  const path = operation.path
    .replace("{business_id}", by.businessId)
    .replaceAll(/\{(\w+)\}/g, (_, parameter: string) => name(recordKindFor(parameter, row)));
  const query = row.query ? `?${new URLSearchParams(row.query(name))}` : "";
  const call = by.asks[row.as ?? callerOf(operation)];
  return call(operation.method, `${path}${query}`, {
    ...(row.body && { body: row.body(name) }),
  });
}

/** Every write stores a response here. */
const volatileTables = ["idempotency_keys"];
/** Tables that record when a login or key was last used. */
const tablesWithLastUse: readonly (string | undefined)[] = [
  "api_keys",
  "console_sessions",
  "link_sessions",
];

/** Reads every row of every database and the storage of the other callers' sessions. */
async function readDatabases(): Promise<string[]> {
  const [rows, stored] = await Promise.all([
    Promise.all([env.CORE, env.SHOP_1, env.SHOP_2].map(readRows)),
    Promise.all(otherSessionIds.map(readSessionStorage)),
  ]);
  return [...rows.flat(), ...stored.map((one) => JSON.stringify(one))].sort();
}

async function readRows(database: D1Database): Promise<string[]> {
  const { results } = await database
    .prepare("select name from sqlite_master where type = 'table' and sql not like '%virtual%'")
    .all<{ name: string }>();
  const names = results
    .map(({ name }) => name)
    .filter((name) => !/^(?:_cf|sqlite|d1)_|_fts/.test(name) && !volatileTables.includes(name));
  const tables = await database.batch<Record<string, unknown>>(
    names.map((name) => database.prepare(`select * from "${name}"`)),
  );
  return tables.flatMap(({ results }, index) =>
    results.map((row) => {
      const lasting = tablesWithLastUse.includes(names[index])
        ? { ...row, last_used_at: null, expires_at: null }
        : row;
      return `${names[index]} ${JSON.stringify(lasting)}`;
    }),
  );
}
