import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { constraintNames } from "../../shared/database/constraint.ts";
import { findFailedConstraint, isConstraintFailure } from "../../shared/database/index.ts";

const d1Error = (text: string) => new Error(`D1_ERROR: ${text}: SQLITE_CONSTRAINT`);

describe("findFailedConstraint", () => {
  it.each([
    ["UNIQUE constraint failed: orders.id", "orders.id"],
    ["UNIQUE constraint failed: orders.cart_id, orders.cart_turn", "orders.cart_id"],
    ["UNIQUE constraint failed: products.business_id, products.slug", "products.slug"],
    ["NOT NULL constraint failed: customers.updated_at", "customers.updated_at"],
    ["CHECK constraint failed: stock_not_oversold", "stock_not_oversold"],
    ["constraint failed: slot_staff_taken", "slot_staff_taken"],
    ["UNIQUE constraint failed: orders.business_id, orders.order_number", null],
    ["FOREIGN KEY constraint failed", null],
  ])("reads %s", (text, name) => {
    expect(findFailedConstraint(d1Error(text))).toBe(name);
    expect(isConstraintFailure(d1Error(text))).toBe(true);
  });

  it("reads the cause of an error, and not the parameters that its text quotes", () => {
    const params = "params: UNIQUE constraint failed: orders.id";
    const cause = d1Error("NOT NULL constraint failed: products.updated_at");
    const error = new Error(`Failed query: insert into notes values (?)\n${params}`, { cause });
    expect(findFailedConstraint(error)).toBe("products.updated_at");
  });

  it("finds no constraint in another error", () => {
    expect(findFailedConstraint(new Error("network connection lost"))).toBeNull();
    expect(findFailedConstraint("constraint failed: orders.id")).toBeNull();
    expect(isConstraintFailure(new Error("network connection lost"))).toBe(false);
  });
});

describe("constraintNames", () => {
  it("names only constraints that the schemas have", async () => {
    const query =
      "select name, sql from sqlite_master where sql is not null and type in ('table', 'trigger')";
    const schemas = await Promise.all(
      [env.CORE, env.SHOP_1].map((db) => db.prepare(query).all<{ name: string; sql: string }>()),
    );
    const results = schemas.flatMap((schema) => schema.results);
    const tables = new Map(results.map(({ name, sql }) => [name, sql]));
    const schema = results.map(({ sql }) => sql).join("\n");
    const missing = constraintNames.filter((constraint) => {
      const [table = "", column] = constraint.split(".");
      if (column === undefined) return !schema.includes(constraint);
      return !new RegExp(`[\`"]${column}[\`"]`).test(tables.get(table) ?? "");
    });
    expect(missing).toEqual([]);
  });
});
