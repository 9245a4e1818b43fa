import { describe, expect, it } from "vitest";
import { breachesIn } from "../../scripts/check/rules.ts";

type Files = Readonly<Record<string, string>>;

/** `file:line rule` for each breach in these files. */
function reportFor(files: Files): string[] {
  const breaches = breachesIn(new Map(Object.entries(files)));
  return breaches.map(({ file, line, message }) => `${file}:${line} ${message.split(":")[0]}`);
}

/** One file that imports others, which exist and are empty. */
function importing(path: string, line: string, ...targets: string[]): Files {
  return { [path]: line, ...Object.fromEntries(targets.map((target) => [target, ""])) };
}

it("reports nothing for files that follow the rules", () => {
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
  expect(reportFor(files)).toEqual([]);
});

describe("worker-alone", () => {
  it.each([
    { what: "another Worker's file", path: "functions/link/worker.ts" },
    { what: "a Worker's file from http", path: "functions/http/app.ts" },
    { what: "a Worker's file from objects", path: "functions/runtime/migrations.ts" },
  ])("rejects $what", ({ path }) => {
    const files = importing(path, 'import "../business/keys.ts";', "functions/business/keys.ts");
    expect(reportFor(files)).toEqual([`${path}:1 worker-alone`]);
  });
});

describe("below-http", () => {
  it.each([
    "functions/runtime/settings.ts",
    "functions/background/consumers/events.ts",
    "functions/storefront/objects/cart-session/session.ts",
  ])("rejects an import of functions/http in %s", (path) => {
    const up = "../".repeat(path.split("/").length - 2);
    const files = importing(
      path,
      `import { it } from "${up}http/app.ts";`,
      "functions/http/app.ts",
    );
    expect(reportFor(files)).toEqual([`${path}:1 below-http`]);
  });

  it.each(["functions/storefront/routes/cart.ts", "functions/wire/views/cart.ts"])(
    "accepts it in %s",
    (path) => {
      const up = "../".repeat(path.split("/").length - 2);
      const files = importing(path, `import "${up}http/app.ts";`, "functions/http/app.ts");
      expect(reportFor(files)).toEqual([]);
    },
  );
});

describe("foreign-tables", () => {
  const tables = {
    "shared/orders/tables.ts": 'export const orders = sqliteTable("orders", {});',
    "shared/cart/tables.ts": 'export const carts = sqliteTable(\n  "carts", {});',
  };
  const reportsOf = (text: string) =>
    breachesIn(new Map(Object.entries({ ...tables, "shared/cart/repo.ts": text })))
      .filter(({ message }) => message.startsWith("foreign-tables"))
      .map(({ file, line, message }) => `${file}:${line} ${message.split(".")[0]}`);

  it.each([
    "sql`select 1 from orders`",
    "sql`select 1 from carts, orders where 1`",
    "sql`select 1 from carts as own join orders on true`",
    '"update orders set version = 1"',
    "sql`insert into orders select 1`",
    '"insert into orders (id) values (1)"',
  ])("reports %s in another area", (code) => {
    expect(reportsOf(`export const query = ${code};`)).toEqual([
      "shared/cart/repo.ts:1 foreign-tables: names orders of orders",
    ]);
  });

  it.each([
    "export const query = sql`select 1 from carts`;",
    "// Reads orders of orders.\nexport const query = sql`select 1 from orders`;",
    "/**\n * Finds a cart. Reads orders of orders.\n */\nexport const query = sql`select 1 from orders`;",
    "// select 1 from orders",
    'import { orders } from "./orders.ts";',
  ])("accepts %s", (code) => {
    expect(reportsOf(code)).toEqual([]);
  });

  it("does not accept a comment on another table", () => {
    const code = "// Reads order_lines of orders.\nexport const query = sql`select 1 from orders`;";
    expect(reportsOf(code)).toHaveLength(1);
  });

  it("accepts a table of the area's own Durable Object", () => {
    const code =
      'const migration = "create table orders (id)";\nconst query = "select 1 from orders";';
    expect(reportsOf(code)).toEqual([]);
  });
});

describe("light-start", () => {
  const worker = "functions/link/worker.ts";
  const rest = { "shared/cart/index.ts": "", "functions/link/routes/auth.ts": "" };

  it.each([
    { what: "an area of the domain", line: 'import { add } from "../../shared/cart/index.ts";' },
    { what: "rows", line: 'import { auth } from "./routes/auth.ts";' },
    { what: "a package", line: 'import { Temporal } from "temporal-polyfill";' },
  ])("rejects $what that not every request needs", ({ line }) => {
    expect(reportFor({ ...rest, [worker]: line })).toEqual([`${worker}:1 light-start`]);
  });

  it("follows imports", () => {
    const files = importing(worker, 'import "./near.ts";', "shared/cart/index.ts");
    const near = { "functions/link/near.ts": 'export * from "../../shared/cart/index.ts";' };
    expect(reportFor({ ...files, ...near })).toEqual(["functions/link/near.ts:1 light-start"]);
  });

  it.each([
    'import type { Cart } from "../../shared/cart/index.ts";',
    'export type { Cart } from "../../shared/cart/index.ts";',
    'const load = () => import("../../shared/cart/index.ts");',
    'import { Hono } from "hono/tiny";',
  ])("allows %s", (line) => {
    expect(reportFor({ ...rest, [worker]: line })).toEqual([]);
  });

  it("also checks the background Worker", () => {
    expect(
      reportFor({
        ...rest,
        "functions/background/worker.ts": 'import "../../shared/cart/index.ts";',
      }),
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
  ])("rejects %s in shared/", (line) => {
    expect(reportFor({ "shared/cart/add.ts": line })).toEqual(["shared/cart/add.ts:1 domain-only"]);
  });

  it("rejects a file of functions/", () => {
    const line = 'import { app } from "../../functions/http/app.ts";';
    const files = importing("shared/cart/add.ts", line, "functions/http/app.ts");
    expect(reportFor(files)).toEqual(["shared/cart/add.ts:1 domain-only"]);
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
  ])("rejects %s, also in the kernel", (code) => {
    const files = { "shared/kernel/time.ts": `// Why.\nexport const it = ${code}` };
    expect(reportFor(files)).toEqual(["shared/kernel/time.ts:2 nothing-ambient"]);
  });

  it.each([
    "new Date(atMs).toISOString()",
    "ctx.now()",
    "/** Never `Date.now()`. */",
    '"https://duka.test" // Math.random() is not for ids',
    '"Date.now() is refused"',
  ])("accepts %s", (code) => {
    expect(reportFor({ "shared/kernel/time.ts": `export const it = ${code}` })).toEqual([]);
  });

  it("checks only shared/", () => {
    expect(reportFor({ "functions/link/worker.ts": "Date.now()" })).toEqual([]);
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
  ])("rejects $target from $path", ({ path, target }) => {
    const file = target.replace(/^(\.\.\/)+(shared\/)?/, "shared/");
    const files = importing(path, `import { it } from "${target}";`, file);
    expect(reportFor(files)).toEqual([`${path}:1 public-face`]);
  });

  it("lets an area import the calendar by its path", () => {
    const line = 'import { localDate } from "../kernel/calendar.ts";';
    expect(reportFor(importing("shared/cart/add.ts", line, "shared/kernel/calendar.ts"))).toEqual(
      [],
    );
  });

  it("lets tables.ts import other tables, the column types and files of its own area", () => {
    const lines = ["../inventory/tables.ts", "../database/columns.ts", "./price/rule.ts"];
    const files = importing(
      "shared/catalogue/tables.ts",
      lines.map((target) => `import "${target}";`).join("\n"),
      "shared/inventory/tables.ts",
      "shared/database/columns.ts",
      "shared/catalogue/price/rule.ts",
    );
    expect(reportFor(files)).toEqual([]);
  });
});

describe("schema-apart", () => {
  it("lets a schema import tables and nobody import the schema", () => {
    const files = {
      "shared/database/shop-schema.ts": 'export * from "../cart/tables.ts";',
      "shared/database/index.ts": 'export * from "./shop-schema.ts";',
      "shared/cart/tables.ts": "",
    };
    expect(reportFor(files)).toEqual(["shared/database/index.ts:1 schema-apart"]);
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
  ])("rejects an import from %s of %s", (own, other) => {
    const path = `shared/${own}/rule.ts`;
    const files = importing(
      path,
      `import { it } from "../${other}/index.ts";`,
      `shared/${other}/index.ts`,
    );
    expect(reportFor(files)).toEqual([`${path}:1 areas-downwards`]);
  });

  it.each([
    ["orders", "payments"],
    ["cart", "inventory"],
    ["checkout", "orders"],
    ["checkout", "webhooks"],
  ])("lets %s import %s", (own, other) => {
    const line = `import { it } from "../${other}/index.ts";`;
    const files = importing(`shared/${own}/rule.ts`, line, `shared/${other}/index.ts`);
    expect(reportFor(files)).toEqual([]);
  });
});

describe("areas-in-table", () => {
  it("reports a new area once", () => {
    const files = { "shared/loyalty/index.ts": "", "shared/loyalty/points.ts": "" };
    const [first, ...rest] = breachesIn(new Map(Object.entries(files)));
    expect(first?.file).toBe("shared/loyalty/index.ts");
    expect(first?.message).toContain("loyalty is new: add it to the table");
    expect(rest).toEqual([]);
  });

  it("rejects a file outside the areas", () => {
    expect(reportFor({ "shared/money.ts": "" })).toEqual(["shared/money.ts:1 areas-in-table"]);
  });
});

describe("no-cycles", () => {
  it("reports a cycle once, at its first import, including type imports", () => {
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

  it("reports a file that imports itself", () => {
    const files = { "functions/http/a.ts": 'export * from "./a.ts";' };
    expect(reportFor(files)).toEqual(["functions/http/a.ts:1 no-cycles"]);
  });
});

describe("drizzle-below", () => {
  it.each(["shared/cart/add.ts", "functions/http/repo.ts", "shared/cart/reports.ts"])(
    "rejects drizzle in %s",
    (path) => {
      const files = { [path]: 'import { sql } from "drizzle-orm";' };
      expect(reportFor(files)).toEqual([`${path}:1 drizzle-below`]);
    },
  );

  it.each([
    "shared/cart/repo.ts",
    "shared/cart/line-repo.ts",
    "shared/cart/line-query.ts",
    "shared/database/client.ts",
  ])("lets %s import drizzle", (path) => {
    expect(reportFor({ [path]: 'import { drizzle } from "drizzle-orm/d1";' })).toEqual([]);
  });
});

describe("named-file", () => {
  it.each(["./line", "./line.js", "./gone.ts", ".."])("rejects %s", (target) => {
    const files = importing(
      "functions/http/app.ts",
      `import "${target}";`,
      "functions/http/line.ts",
    );
    expect(reportFor(files)).toEqual(["functions/http/app.ts:1 named-file"]);
  });
});

describe("imports", () => {
  it("ignores comments and reads every import form", () => {
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
    expect(reportFor(files)).toEqual(lines.map((line) => `shared/cart/add.ts:${line} domain-only`));
  });
});
