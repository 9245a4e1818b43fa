import { describe, expect, it } from "vitest";
import { breachesIn } from "../../scripts/check/rules.ts";

type Files = Readonly<Record<string, string>>;

/** `file:line rule` for each breach in a tree of these files. */
function told(files: Files): string[] {
  const breaches = breachesIn(new Map(Object.entries(files)));
  return breaches.map(({ file, line, message }) => `${file}:${line} ${message.split(":")[0]}`);
}

/** One file that imports others, which exist and are empty. */
function importing(path: string, line: string, ...targets: string[]): Files {
  return { [path]: line, ...Object.fromEntries(targets.map((target) => [target, ""])) };
}

it("finds nothing in a tree that keeps the rules", () => {
  const files = {
    "functions/front/worker.ts": 'import { app } from "../http/app.ts";',
    "functions/http/app.ts": 'import { Hono } from "hono";\nimport "../runtime/migrations.ts";',
    "functions/runtime/migrations.ts": 'import { add } from "../../shared/cart/index.ts";',
    "shared/cart/index.ts": 'export * from "./add.ts";\nexport * from "./line-repo.ts";',
    "shared/cart/add.ts": 'import { priceOf } from "../pricing/index.ts";\nnew Date(0);',
    "shared/cart/line-repo.ts": 'import { eq } from "drizzle-orm";\nimport "./tables.ts";',
    "shared/cart/tables.ts": 'import { text } from "drizzle-orm/sqlite-core";',
    "shared/pricing/index.ts": 'import type { Money } from "../kernel/index.ts";',
    "shared/kernel/index.ts": "",
  };
  expect(told(files)).toEqual([]);
});

describe("worker-alone", () => {
  it.each([
    { what: "another Worker's file", path: "functions/link/worker.ts" },
    { what: "a Worker's file from http", path: "functions/http/app.ts" },
    { what: "a Worker's file from objects", path: "functions/runtime/migrations.ts" },
  ])("refuses $what", ({ path }) => {
    const files = importing(path, 'import "../business/keys.ts";', "functions/business/keys.ts");
    expect(told(files)).toEqual([`${path}:1 worker-alone`]);
  });
});

describe("light-start", () => {
  const worker = "functions/link/worker.ts";
  const rest = { "shared/cart/index.ts": "", "functions/link/routes/auth.ts": "" };

  it.each([
    { what: "an area of the domain", line: 'import { add } from "../../shared/cart/index.ts";' },
    { what: "rows", line: 'import { auth } from "./routes/auth.ts";' },
    { what: "a package", line: 'import { Temporal } from "temporal-polyfill";' },
  ])("refuses $what that every request does without", ({ line }) => {
    expect(told({ ...rest, [worker]: line })).toEqual([`${worker}:1 light-start`]);
  });

  it("looks behind what is imported", () => {
    const files = importing(worker, 'import "./near.ts";', "shared/cart/index.ts");
    const near = { "functions/link/near.ts": 'export * from "../../shared/cart/index.ts";' };
    expect(told({ ...files, ...near })).toEqual(["functions/link/near.ts:1 light-start"]);
  });

  it.each([
    'import type { Cart } from "../../shared/cart/index.ts";',
    'export type { Cart } from "../../shared/cart/index.ts";',
    'const load = () => import("../../shared/cart/index.ts");',
    'import { Hono } from "hono/tiny";',
  ])("allows %s", (line) => {
    expect(told({ ...rest, [worker]: line })).toEqual([]);
  });

  it("holds the background's Worker to it, too", () => {
    expect(
      told({ ...rest, "functions/background/worker.ts": 'import "../../shared/cart/index.ts";' }),
    ).toEqual(["functions/background/worker.ts:1 light-start"]);
  });
});

describe("domain-only", () => {
  it.each([
    'import type { Context } from "hono";',
    'import { cors } from "hono/cors";',
    'import { z } from "@hono/zod-openapi";',
    'import { env } from "cloudflare:workers";',
    'const { env } = await import("cloudflare:workers");',
    'type Env = import("hono").Env;',
  ])("refuses %s in shared/", (line) => {
    expect(told({ "shared/cart/add.ts": line })).toEqual(["shared/cart/add.ts:1 domain-only"]);
  });

  it("refuses a file of functions/", () => {
    const line = 'import { app } from "../../functions/http/app.ts";';
    const files = importing("shared/cart/add.ts", line, "functions/http/app.ts");
    expect(told(files)).toEqual(["shared/cart/add.ts:1 domain-only"]);
  });
});

describe("nothing-ambient", () => {
  it.each([
    "Date.now()",
    "{ now: Date.now }",
    "new Date()",
    "new Date( )",
    "new Date;",
    "Math.random()",
    "crypto.randomUUID()",
    "crypto.getRandomValues(bytes)",
    "performance.now()",
    "process.env.PORT",
    `\`at \${Date.now()}\``,
  ])("refuses %s, in the kernel too", (code) => {
    const files = { "shared/kernel/time.ts": `// Why.\nexport const it = ${code}` };
    expect(told(files)).toEqual(["shared/kernel/time.ts:2 nothing-ambient"]);
  });

  it.each([
    "new Date(atMs).toISOString()",
    "ctx.now()",
    "/** Never `Date.now()`. */",
    '"https://duka.test" // Math.random() is not for ids',
    '"Date.now() is refused"',
  ])("lets %s through", (code) => {
    expect(told({ "shared/kernel/time.ts": `export const it = ${code}` })).toEqual([]);
  });

  it("is about the domain only", () => {
    expect(told({ "functions/link/worker.ts": "Date.now()" })).toEqual([]);
  });
});

describe("public-face", () => {
  it.each([
    { path: "shared/cart/add.ts", target: "../catalogue/product.ts" },
    { path: "shared/cart/add.ts", target: "../kernel/money.ts" },
    { path: "shared/cart/add.ts", target: "../catalogue/tables.ts" },
    { path: "shared/cart/repo.ts", target: "../database/columns.ts" },
    { path: "shared/cart/tables.ts", target: "../catalogue/product.ts" },
    { path: "functions/link/access.ts", target: "../../shared/cart/add.ts" },
  ])("refuses $target from $path", ({ path, target }) => {
    const file = target.replace(/^(\.\.\/)+(shared\/)?/, "shared/");
    const files = importing(path, `import { it } from "${target}";`, file);
    expect(told(files)).toEqual([`${path}:1 public-face`]);
  });

  it("lets tables.ts name other tables, the columns' words and what lies in its own area", () => {
    const lines = ["../inventory/tables.ts", "../database/columns.ts", "./price/rule.ts"];
    const files = importing(
      "shared/catalogue/tables.ts",
      lines.map((target) => `import "${target}";`).join("\n"),
      "shared/inventory/tables.ts",
      "shared/database/columns.ts",
      "shared/catalogue/price/rule.ts",
    );
    expect(told(files)).toEqual([]);
  });
});

describe("schema-apart", () => {
  it("lets a schema gather tables, and nobody import it", () => {
    const files = {
      "shared/database/shop-schema.ts": 'export * from "../cart/tables.ts";',
      "shared/database/index.ts": 'export * from "./shop-schema.ts";',
      "shared/cart/tables.ts": "",
    };
    expect(told(files)).toEqual(["shared/database/index.ts:1 schema-apart"]);
  });
});

describe("areas-downwards", () => {
  it.each([
    ["kernel", "database"],
    ["database", "businesses"],
    ["catalogue", "inventory"],
    ["inventory", "businesses"],
    ["pricing", "inventory"],
    ["pricing", "cart"],
    ["payments", "orders"],
    ["webhooks", "orders"],
    ["orders", "cart"],
    ["cart", "checkout"],
  ])("keeps %s from knowing %s", (own, other) => {
    const path = `shared/${own}/rule.ts`;
    const files = importing(
      path,
      `import { it } from "../${other}/index.ts";`,
      `shared/${other}/index.ts`,
    );
    expect(told(files)).toEqual([`${path}:1 areas-downwards`]);
  });

  it.each([
    ["orders", "payments"],
    ["cart", "inventory"],
    ["checkout", "orders"],
    ["checkout", "webhooks"],
  ])("lets %s know %s", (own, other) => {
    const line = `import { it } from "../${other}/index.ts";`;
    const files = importing(`shared/${own}/rule.ts`, line, `shared/${other}/index.ts`);
    expect(told(files)).toEqual([]);
  });
});

describe("areas-in-table", () => {
  it("asks for a new area to be added, once", () => {
    const files = { "shared/loyalty/index.ts": "", "shared/loyalty/points.ts": "" };
    const [first, ...rest] = breachesIn(new Map(Object.entries(files)));
    expect(first?.file).toBe("shared/loyalty/index.ts");
    expect(first?.message).toContain("loyalty is new: add it to the table");
    expect(rest).toEqual([]);
  });

  it("refuses a file beside the areas", () => {
    expect(told({ "shared/money.ts": "" })).toEqual(["shared/money.ts:1 areas-in-table"]);
  });
});

describe("no-cycles", () => {
  it("tells a cycle once, at the line that begins it, type imports included", () => {
    const files = {
      "functions/http/a.ts": '\nimport "./b.ts";',
      "functions/http/b.ts": 'import {\n  type C,\n} from "./c.ts";',
      "functions/http/c.ts": 'import type { A } from "./a.ts";',
      "functions/http/d.ts": 'import "./a.ts";',
    };
    const [first, ...rest] = breachesIn(new Map(Object.entries(files)));
    expect(`${first?.file}:${first?.line}`).toBe("functions/http/a.ts:2");
    expect(first?.message).toContain(
      "functions/http/a.ts → functions/http/b.ts → functions/http/c.ts → functions/http/a.ts",
    );
    expect(rest).toEqual([]);
  });

  it("counts a file that imports itself", () => {
    const files = { "functions/http/a.ts": 'export * from "./a.ts";' };
    expect(told(files)).toEqual(["functions/http/a.ts:1 no-cycles"]);
  });
});

describe("drizzle-below", () => {
  it.each(["shared/cart/add.ts", "functions/http/repo.ts", "shared/cart/reports.ts"])(
    "refuses drizzle in %s",
    (path) => {
      const files = { [path]: 'import { sql } from "drizzle-orm";' };
      expect(told(files)).toEqual([`${path}:1 drizzle-below`]);
    },
  );

  it.each(["shared/cart/repo.ts", "shared/cart/line-repo.ts", "shared/database/client.ts"])(
    "lets %s know drizzle",
    (path) => {
      expect(told({ [path]: 'import { drizzle } from "drizzle-orm/d1";' })).toEqual([]);
    },
  );
});

describe("named-file", () => {
  it.each(["./line", "./line.js", "./gone.ts", ".."])("refuses %s", (target) => {
    const files = importing(
      "functions/http/app.ts",
      `import "${target}";`,
      "functions/http/line.ts",
    );
    expect(told(files)).toEqual(["functions/http/app.ts:1 named-file"]);
  });
});

describe("reading imports", () => {
  it("ignores what is commented out and reads every form", () => {
    const files = {
      "shared/cart/add.ts": [
        '// import "hono";',
        '/* import "hono"; */',
        'import first from "hono";',
        'import * as all from "hono";',
        'import type { Env } from "hono";',
        'export { Hono as App } from "hono";',
        'export * from "hono";',
        'import "hono"',
        'import "hono"',
        'const later = () => import("hono");',
      ].join("\n"),
    };
    const lines = [3, 4, 5, 6, 7, 8, 9, 10];
    expect(told(files)).toEqual(lines.map((line) => `shared/cart/add.ts:${line} domain-only`));
  });
});
