import { describe, expect, it } from "vitest";
import { nameBreaches, wordsOf } from "../../scripts/check/names.ts";
import { proseBreaches } from "../../scripts/check/prose.ts";

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

describe("archaic words", () => {
  it("are refused in comments, messages, test titles and documents, with their line", () => {
    const files = {
      "shared/a.ts": "// One.\n// Whoever pays.",
      "functions/b.ts": 'throw invalid("name", "is somebody else\'s.");',
      "test/c.test.ts": 'it("asks the customer whom it knows", () => {});',
      "docs/contract/link.md": "# Link\n\nA stranger gets 404.",
      "docs/glossary.md": "Anyone else gets 404. `whomever`, asked and thus are not in the list.",
    };
    expect(
      proseBreaches(new Map(Object.entries(files))).map(({ file, line }) => `${file}:${line}`),
    ).toEqual(["shared/a.ts:2", "functions/b.ts:1", "test/c.test.ts:1", "docs/contract/link.md:3"]);
  });
});
