import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Answer } from "../support/world.ts";
import { growing, ofCore, refused } from "./growth/growing.ts";
import { type Shape, shapesOf, withQuery } from "./growth/shapes.ts";
import { type BothReads, givenBothWorlds, holdTime, type Read } from "./growth/worlds.ts";
import { inOrder } from "./operation-order.ts";
import { named, type Operation, operationsOfDocuments } from "./operations.ts";

/** So many copies of all that a business has: two full pages, and 40 more rows to read if each is read once. */
const copies = { small: 22, large: 62 };
/** The rows by which two businesses of one size differ: of keys, sessions and what is done behind an answer. */
const noise = 20;

/** A quote lives 15 minutes, and the clock goes on with every request. */
const needsQuote = ({ id }: Operation): boolean => /\/quotes|^POST .*\/cart\/items$/.test(id);

const documented = await operationsOfDocuments();
const walked = inOrder(documented.filter(({ id }) => !ofCore.test(id)));
const operations = [...walked.filter(needsQuote), ...walked.filter((one) => !needsQuote(one))];

let worlds: Awaited<ReturnType<typeof givenBothWorlds>>;

beforeAll(async () => {
  holdTime();
  worlds = await givenBothWorlds(copies);
}, 60_000);
beforeEach(() => holdTime()); // whatever a test does to the clock is undone behind it

/** `shape` names it in the table, `request` tells its pages apart. */
type Told = Readonly<{ shape: string; request: string; read: BothReads }>;

/** Every shape of an operation, and the next page of what has one. */
async function askAll(operation: Operation): Promise<Told[]> {
  const told: Told[] = [];
  for (const shape of shapesOf(operation)) {
    const name = `${operation.id}${shape.name}`;
    const { request: both } = shape;
    const read = await worlds.ask(operation, { small: both, large: both });
    told.push({ shape: name, request: name, read });
    const next = nextOf(shape, read);
    if (next) {
      const onward = await worlds.ask(operation, next);
      told.push({ shape: name, request: `${name}, next page`, read: onward });
    }
  }
  return told;
}

function nextOf({ request, name }: Shape, { small, large }: BothReads) {
  const [inSmall, inLarge] = [cursorOf(small), cursorOf(large)];
  if (inSmall === null || inLarge === null || name.includes("page=")) return null;
  return {
    small: withQuery(request, { cursor: inSmall }),
    large: withQuery(request, { cursor: inLarge }),
  };
}

const cursorOf = ({ answer: { body } }: Read): string | null =>
  Object(Object(Object(body).data).pagination).next_cursor ?? null;

const hasGrown = ({ small, large }: BothReads): boolean => large.rows > small.rows + noise;

/** The statements that read more of the large one, for whoever has to mend them. */
const growthOf = ({ request, read: { small, large } }: Told): string =>
  [
    `${request}: ${small.rows} rows, and ${large.rows} of the large business`,
    ...[...large.by].flatMap(([statement, rows]) => {
      const before = small.by.get(statement) ?? 0;
      return rows > before + noise / 4 ? [`  ${before} and ${rows}: ${statement}`] : [];
    }),
  ].join("\n");

const shapesIn = (told: readonly Told[]) => new Set(told.map(({ shape }) => shape));

const succeeded = ({ status }: Answer): boolean => status < 300;

describe("a business with three times as many records of every kind", () => {
  const known = new Set<string>();

  it.each(named(operations))("reads no more rows for %s", async (_, operation) => {
    const told = await askAll(operation);
    for (const { shape, request, read } of told) {
      expect(read.large.answer.status, request).toBe(read.small.answer.status);
      known.add(shape);
    }
    const isAnswered = told.some(({ read }) => succeeded(read.small.answer));
    expect(isAnswered, "succeeds").toBe(!refused.includes(operation.id));
    const grown = told.filter(({ read }) => hasGrown(read));
    const unlisted = grown.filter(({ shape }) => !growing.has(shape));
    expect(unlisted.map(growthOf).join("\n")).toBe("");
    const listed = told.filter(({ shape }) => growing.has(shape));
    expect(shapesIn(listed), "the table is exact").toEqual(shapesIn(grown));
  });

  it("is excused by the table for nothing else", () => {
    expect([...growing.keys()].filter((shape) => !known.has(shape))).toEqual([]);
  });
});
