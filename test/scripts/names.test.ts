import { describe, expect, it } from "vitest";
import { nameBreaches, wordsOf } from "../../scripts/check/names.ts";

const breachesOf = (files: Record<string, string>): string[] =>
  nameBreaches(new Map(Object.entries(files))).map(
    ({ file, line, message }) => `${file}:${line} ${message.split(":")[0]}`,
  );

describe("names of functions with effects", () => {
  it.each([
    { code: "async function finished() {}" },
    { code: "export async function writtenOrder(ctx: Context) {}" },
    { code: "const asked = async () => {};" },
    { code: "function settled(order: Order): Promise<void> {}" },
    { code: "function begun(ctx: Context): void {}" },
    { code: "class Store {\n  async kept() {}\n}" },
  ])("refuses a participle in $code", ({ code }) => {
    expect(breachesOf({ "shared/a.ts": code }).join()).toContain("verb-first");
  });

  it.each([
    { code: "async function finishCheckout() {}" },
    { code: "async function seedShops() {}" },
    { code: "async function feed() {}" },
    { code: "function sortedLines(cart: Cart): Line[] {}" },
    { code: "const needed = lines.filter(isNeeded);" },
    { code: "// async function finished() {}" },
    { code: 'const text = "async function finished() {}";' },
  ])("accepts $code", ({ code }) => {
    expect(breachesOf({ "shared/a.ts": code })).toEqual([]);
  });
});

describe("banned words", () => {
  it.each([
    { code: "type Asked = string;" },
    { code: "const patienceMs = 5;" },
    { code: "function standingOf(row: Row) {}" },
    { code: "export type Standing<T> = T;" },
  ])("are refused in $code", ({ code }) => {
    expect(breachesOf({ "shared/a.ts": code })).toContain("shared/a.ts:1 plain-names");
  });

  it("may be imported from a library", () => {
    expect(breachesOf({ "shared/a.ts": 'import { type Asked } from "library";' })).toEqual([]);
  });
});

describe("type names", () => {
  const declaring = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`shared/${index}.ts`, "type Row = string;"]),
    );

  it("may be declared by three files", () => {
    expect(breachesOf(declaring(3))).toEqual([]);
  });

  it("are refused in each of four files that declare them", () => {
    expect(breachesOf(declaring(4))).toEqual(
      [0, 1, 2, 3].map((index) => `shared/${index}.ts:1 one-meaning`),
    );
  });
});

describe("wordsOf", () => {
  it.each([
    { name: "camelCaseName", words: ["camel", "case", "name"] },
    { name: "UNPAID_ORDER_TTL_MS", words: ["unpaid", "order", "ttl", "ms"] },
    { name: "CartLine", words: ["cart", "line"] },
  ])("splits $name", ({ name, words }) => {
    expect(wordsOf(name)).toEqual(words);
  });
});
