import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { givenNeighbour } from "../support/neighbour.ts";
import { storedIn } from "../support/sessions.ts";
import { type Answer, givenBusiness } from "../support/world.ts";
import { givenBelongings } from "./foreign-belongings.ts";
import { foreignCalls, nameIn, noRecords, withoutIdentifiers } from "./foreign-calls.ts";
import type { Outcome, Row } from "./foreign-row.ts";
import {
  givenCustomerOf,
  type Ids,
  type Kind,
  type Party,
  personal,
  unknownIds,
} from "./foreign-world.ts";
import { alwaysOpen, withoutLimits } from "./open-shop.ts";
import {
  callerOf,
  isMerchants,
  named,
  type Operation,
  operationsOfDocuments,
} from "./operations.ts";

const operations = await operationsOfDocuments();
const rowsOf = ({ id }: Operation): readonly Row[] => foreignCalls[id] ?? [];

/** The caller, another customer of the same business, and another business of the same shard. */
let own: Ids;
let ofCustomer: Ids;
let ofNeighbour: Ids;
let nobodys: Ids;
let caller: Party;
let neighbour: Party;
let othersSessions: string[];
let before: string[];

beforeAll(async () => {
  const shop = await givenBusiness();
  const other = await givenNeighbour(shop);
  await Promise.all([shop, other].flatMap((one) => [withoutLimits(one), alwaysOpen(one)]));
  const [belongings, others] = [await givenBelongings(shop), await givenBelongings(other)];
  caller = await givenCustomerOf(shop, belongings, "+233241000001");
  const customer = await givenCustomerOf(shop, belongings, "+233241000002");
  neighbour = await givenCustomerOf(other, others, "+233241000003");
  own = { ...belongings, ...caller.ids };
  ofCustomer = { ...belongings, ...customer.ids };
  ofNeighbour = { ...others, ...neighbour.ids };
  nobodys = unknownIds(own);
  othersSessions = [customer, neighbour].map(({ sessionId }) => sessionId);
  before = await everything();
}, 60_000);

describe("the table of this test", () => {
  it("knows every operation of the documents, and no other", () => {
    expect([...Object.keys(foreignCalls), ...withoutIdentifiers].sort()).toEqual(
      operations.map(({ id }) => id).sort(),
    );
  });

  it.each(named(operations))("fills every identifier that %s takes", (_, operation) => {
    const filled = new Set(rowsOf(operation).flatMap(namesFilledBy));
    const taken = operation.identifiers.filter(
      (name) => !noRecords.has(name) && !isNewPart(operation, name),
    );
    expect(taken.filter((name) => !filled.has(name))).toEqual([]);
  });
});

const withRows = operations.filter((operation) => rowsOf(operation).length > 0);

describe.each(named(withRows))("%s", (_, operation) => {
  const cases = rowsOf(operation).flatMap((row) => casesOf(operation, row));

  it("answers for the neighbour's identifiers as for nobody's", async () => {
    for (const one of cases) await compare(operation, one, ofNeighbour);
  });
});

describe.each(named(withRows.filter((operation) => personalCasesOf(operation).length > 0)))(
  "%s",
  (_, operation) => {
    it("answers for another customer's identifiers as for nobody's", async () => {
      for (const one of personalCasesOf(operation)) await compare(operation, one, ofCustomer);
    });
  },
);

const isOperators = ({ id }: Operation) => id === "POST /v1/businesses/{business_id}/move";

describe.each(
  named(
    operations.filter(
      (operation) => operation.path.includes("{business_id}") && !isOperators(operation),
    ),
  ),
)("%s", (_, operation) => {
  it("is 403 on another business's path, as on nobody's", async () => {
    for (const { business_id } of [ofNeighbour, nobodys]) {
      const path = operation.path
        .replace("{business_id}", business_id)
        .replaceAll(/\{\w+\}/g, ofNeighbour.order_id);
      const options = operation.takesJson ? { body: {} } : {};
      const answer = await caller.asks.merchant(operation.method, path, options);
      expect(answer).toMatchObject(forbidden);
    }
  });
});

describe("after all of these calls", () => {
  it("nothing has changed in any database, nor in another's session", async () => {
    expect(await everything()).toEqual(before);
  });

  it.each(named(withRows.filter(({ method }) => method === "GET")))(
    "its owner can still read %s",
    async (_, operation) => {
      for (const row of rowsOf(operation)) {
        const answer = await ask(neighbour, operation, row, ofNeighbour);
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      }
    },
  );
});

/** Among customers of one business; a merchant may see them all. */
function personalCasesOf(operation: Operation): Case[] {
  if (isMerchants(operation)) return [];
  return rowsOf(operation).flatMap((row) => casesOf(operation, row, personal));
}

const forbidden = {
  status: 403,
  body: {
    success: false,
    error: { code: "FORBIDDEN", message: "The key does not serve this business." },
  },
};

/** A new bundle or composite has no components yet that a body could name. */
const isNewPart = ({ method, path }: Operation, name: string) =>
  method === "POST" && name === "component_id" && /\/(?:bundles|composites)$/.test(path);

type Case = Readonly<{
  row: Row;
  /** What is not one's own; the rest is. */
  kinds: readonly Kind[];
  /** Any of these: of several wrong identifiers, it is open which is found first. */
  outcomes: readonly Outcome[];
  /** Where another customer's is not answered as nobody's. */
  ofCustomer: readonly Outcome[] | null;
}>;

/** One call for each identifier that is not one's own, and one where none is. */
function casesOf(operation: Operation, row: Row, among?: ReadonlySet<Kind>): Case[] {
  const kinds = kindsOf(operation, row).filter((kind) => among?.has(kind) ?? true);
  const outcomeOf = (kind: Kind) => row.outcomes?.[kind] ?? "not found";
  const each = kinds.map((kind): Case => {
    const outcome = row.ofCustomer?.[kind];
    return {
      row,
      kinds: [kind],
      outcomes: [outcomeOf(kind)],
      ofCustomer: outcome === undefined ? null : [outcome],
    };
  });
  if (kinds.length < 2) return each;
  const refusals = kinds.map(outcomeOf).filter((outcome) => !/taken|nothing/.test(`${outcome}`));
  const outcomes = refusals.length > 0 ? refusals : kinds.map(outcomeOf);
  return [...each, { row, kinds, outcomes, ofCustomer: null }];
}

/** The kinds of identifiers that a call needs, those of its path first. */
function kindsOf({ pathParameters }: Operation, row: Row): Kind[] {
  const kinds = new Set<Kind>();
  for (const name of pathParameters) if (name !== "business_id") kinds.add(kindOf(name, row));
  const note = (kind: Kind) => {
    kinds.add(kind);
    return kind;
  };
  row.query?.(note);
  row.body?.(note);
  return [...kinds];
}

function kindOf(parameter: string, { path }: Row): Kind {
  return path?.[parameter] ?? (parameter as Kind); // safe: an unknown one fills nothing, and the call fails
}

/** The names of query and body, at any depth, that the row fills. */
function namesFilledBy(row: Row): string[] {
  const name = (kind: Kind) => kind;
  return [...namesOf(row.query?.(name)), ...namesOf(row.body?.(name))];
}

const namesOf = (value: unknown): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, part]) => [key, ...namesOf(part)])
    : [];

async function compare(operation: Operation, one: Case, theirs: Ids): Promise<void> {
  const { row, kinds } = one;
  if (opensIt(kinds, theirs)) return;
  const mixed = (ids: Ids): Ids => ({
    ...own,
    ...Object.fromEntries(kinds.map((kind) => [kind, ids[kind]])),
  });
  const answerTo = async (ids: Ids) => {
    const answer = await ask(caller, operation, row, mixed(ids));
    return { ...answer, told: told(answer, mixed(ids)) };
  };
  const foreign = await answerTo(theirs);
  const outcomes = (theirs === ofCustomer && one.ofCustomer) || one.outcomes;
  expect(outcomes, `${kinds.join(", ")}: ${foreign.told}`).toContain(outcomeOf(foreign));
  if (outcomes !== one.outcomes) return;
  expect(foreign.told, kinds.join(", ")).toBe((await answerTo(nobodys)).told);
}

/** Whoever has an order's token, and names all that it is of, is no stranger to it nor to its bookings. */
const opensIt = (kinds: readonly Kind[], theirs: Ids): boolean =>
  (kinds.includes("order_id") || kinds.includes("booking_id")) &&
  kinds.includes("bill_token") &&
  (theirs === ofCustomer || kinds.includes("business_id"));

function outcomeOf({ status, body }: Answer): Outcome {
  const { data, error } = Object(body);
  if (status === 404 && error?.code === "NOT_FOUND") return "not found";
  if (status === 400 && error?.code === "VALIDATION_ERROR") return "refused";
  const listed = data?.items ?? data;
  if (status === 200 && Array.isArray(listed) && listed.length === 0) return "nothing";
  if (status === 422) return `422 ${error?.context?.rule}`;
  return status === 200 ? "taken" : status;
}

/** Status and body, with the identifiers that were sent by the names of their kinds. */
function told({ status, body }: Answer, sent: Ids): string {
  const text = Object.entries(sent).reduce(
    (text, [kind, id]) => text.replaceAll(id, kind),
    JSON.stringify(body),
  );
  return `${status} ${text}`;
}

function ask(by: Party, operation: Operation, row: Row, ids: Ids): Promise<Answer> {
  const name = nameIn(ids);
  const path = operation.path
    .replace("{business_id}", by.businessId)
    .replaceAll(/\{(\w+)\}/g, (_, parameter: string) => name(kindOf(parameter, row)));
  const query = row.query ? `?${new URLSearchParams(row.query(name))}` : "";
  const call = by.asks[row.as ?? callerOf(operation)];
  return call(operation.method, `${path}${query}`, {
    ...(row.body && { body: row.body(name) }),
  });
}

/** What changes with every call, whatever it says: the answers kept for a repeat … */
const passing = ["idempotency_keys"];
/** … and when a login or a key was last used. */
const noteUses: readonly (string | undefined)[] = ["api_keys", "link_sessions"];

/** Every row of every database, and what the others' sessions have stored. */
async function everything(): Promise<string[]> {
  const [rows, stored] = await Promise.all([
    Promise.all([env.CORE, env.SHOP_1, env.SHOP_2].map(rowsIn)),
    Promise.all(othersSessions.map(storedIn)),
  ]);
  return [...rows.flat(), ...stored.map((one) => JSON.stringify(one))].sort();
}

async function rowsIn(database: D1Database): Promise<string[]> {
  const { results } = await database
    .prepare("select name from sqlite_master where type = 'table' and sql not like '%virtual%'")
    .all<{ name: string }>();
  const names = results
    .map(({ name }) => name)
    .filter((name) => !/^(?:_cf|sqlite|d1)_|_fts/.test(name) && !passing.includes(name));
  const tables = await database.batch<Record<string, unknown>>(
    names.map((name) => database.prepare(`select * from "${name}"`)),
  );
  return tables.flatMap(({ results }, index) =>
    results.map((row) => {
      const lasting = noteUses.includes(names[index]) ? { ...row, last_used_at: null } : row;
      return `${names[index]} ${JSON.stringify(lasting)}`;
    }),
  );
}
