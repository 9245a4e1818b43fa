import { describe, expect, it } from "vitest";
import { stackOf } from "../../shared/kernel/index.ts";

describe("stackOf", () => {
  it("includes the causes", () => {
    const error = new Error("outer", { cause: new Error("inner") });
    expect(stackOf(error)).toMatch(/outer[\s\S]*caused by [\s\S]*inner/);
  });

  it("keeps the text of a failed query and removes its parameters", () => {
    const message = "Failed query: select 1 where phone = ?\nparams: +233241234567,two\nlines";
    const text = stackOf(new Error(message, { cause: new Error("D1_ERROR") }));
    expect(text).toContain("select 1 where phone = ?");
    expect(text).toContain("stack.test");
    expect(text).toContain("D1_ERROR");
    expect(text).not.toMatch(/233241234567|lines/);
  });

  it("removes parameters when no stack frames follow", () => {
    const error = new Error("x");
    error.stack = "Failed query: select ?\nparams: secret";
    expect(stackOf(error)).toBe("Failed query: select ?");
  });
});
