import { describe, expect, it } from "vitest";
import { applyMutant, drawMutants, findMutants } from "../../scripts/mutants/find-mutants.ts";
import { findImporters, nearestTests } from "../../scripts/mutants/nearest-tests.ts";

/** The file's texts after each change of one operator. */
const textsAfter = (operator: string, text: string): string[] =>
  findMutants("a.ts", text)
    .filter((mutant) => mutant.operator === operator)
    .map((mutant) => applyMutant(text, mutant));

describe("the mutants of a file", () => {
  it.each([
    ["negate the condition", "if (a) b();", ["if (!(a)) b();"]],
    ["skip the branch", "if (a) throw b;", ["if (false) throw b;"]],
    ["swap the comparison", "a = b <= c;", ["a = b < c;"]],
    ["swap the comparison", "a = b /* < */ !== c;", ["a = b /* < */ === c;"]],
    ["swap && and ||", "a = b && c;", ["a = b || c;"]],
    ["drop an operand", "a = b && c;", ["a = b;", "a = c;"]],
    ["drop an operand", "a = and(b, c);", ["a = and(undefined, c);", "a = and(b, undefined);"]],
    ["drop where", "db.delete(t).where(b).all();", ["db.delete(t).all();"]],
    ["change the number", "a = 1_0;", ["a = 11;", "a = 9;"]],
    ["drop the call", "a.b(c);", [";"]],
    ["drop the call", "async () => { await a(); };", ["async () => { ; };"]],
    ["swap the ternary's arms", "a = b ? c : d;", ["a = b ? d : d;", "a = b ? c : c;"]],
    ["return early", "function f() { a(); }", ["function f() { return; a(); }"]],
    [
      "change the SQL",
      "a = sql`b <= c and d`;",
      ["a = sql`b < c and d`;", "a = sql`b <= c or d`;"],
    ],
  ])("%s: %s", (operator, text, expected) => {
    expect(textsAfter(operator, text)).toEqual(expected);
  });

  it.each([
    ["types", "type A = 1 | 2; const a: 3 = b as 4;"],
    ["text", 'const a = "b && c"; const d = `1 < 2`;'],
    ["comments", "// if (a < 1) b();"],
    ["a value that is returned", "function f() { return a; }"],
  ])("do not touch %s", (_, text) => {
    expect(findMutants("a.ts", text)).toEqual([]);
  });

  it("are drawn by the seed, each at most once", () => {
    const all = findMutants("a.ts", "if (a < 1) b(2); if (c > 3) d(4);");
    const drawn = drawMutants(all, { seed: 7, count: 5 });
    expect(drawMutants(all, { seed: 7, count: 5 })).toEqual(drawn);
    expect(drawMutants(all, { seed: 8, count: 5 })).not.toEqual(drawn);
    const everyone = drawMutants(all, { seed: 7, count: 1_000 });
    expect(everyone).toHaveLength(all.length);
    expect(new Set(everyone)).toEqual(new Set(all));
  });
});

describe("the nearest tests", () => {
  const files = {
    "shared/tea/brew-tea.ts": "export const brewTea = 1;",
    "shared/tea/index.ts": 'export { brewTea } from "./brew-tea.ts"; export * from "./cup.ts";',
    "shared/tea/cup.ts": "export const cup = 1;",
    "functions/shop/routes/drinks.ts": 'import { brewTea } from "../../../shared/tea/index.ts";',
    "functions/shop/worker.ts": 'const load = () => import("./routes/drinks.ts");',
    "test/support/worker.ts": 'import shop from "../../functions/shop/worker.ts";',
    "test/tea/brew-tea.test.ts": 'import { brewTea } from "../../shared/tea/index.ts";',
    "test/tea/cup.test.ts": 'import { cup, type brewTea } from "../../shared/tea/index.ts";',
    "test/shop/drinks.test.ts": 'import { exports } from "cloudflare:workers";',
    "test/shop/bread.test.ts": 'import { exports } from "cloudflare:workers";',
    "test/kernel/money.test.ts": 'import { it } from "vitest";',
  };
  const importers = findImporters(new Map(Object.entries(files)));

  it("are those that load the file, directly or through the Worker, by the words of their paths", () => {
    expect(nearestTests("shared/tea/brew-tea.ts", importers)).toEqual([
      "test/tea/brew-tea.test.ts",
      "test/shop/drinks.test.ts",
      "test/shop/bread.test.ts",
    ]);
  });

  it("leave out files that an index.ts passes on to others only", () => {
    expect(nearestTests("shared/tea/cup.ts", importers)).toEqual(["test/tea/cup.test.ts"]);
  });
});
