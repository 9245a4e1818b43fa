import { describe, expect, it } from "vitest";
import { demandDocumented } from "../support/documented.ts";

const headers = new Headers({ "Content-Type": "application/json" });

const status = (data: unknown) => () =>
  demandDocumented({
    method: "GET",
    path: "/api/v1/auth/status?",
    status: 200,
    headers,
    body: { success: true, data },
  });

const customer = { id: "cus_1", name: "Ama", email: null, phone: null };
const anonymous = { is_authenticated: false, customer: null, session_expires_at: null };

describe("the check that every answer of the tests goes through", () => {
  it("takes what the documents say", () => {
    expect(status(anonymous)).not.toThrow();
  });

  it("names the operation and the field of what is missing, of another type or not written down", () => {
    const { customer: _, ...without } = anonymous;
    const told = (field: string) => new RegExp(`^GET /api/v1/auth/status answers 200 .*${field}`);
    expect(status(without)).toThrow(told("data.customer"));
    expect(status({ ...anonymous, is_authenticated: "no" })).toThrow(told("data.is_authenticated"));
    expect(status({ ...anonymous, more: 1 })).toThrow(told("more"));
    expect(status({ ...anonymous, customer: { ...customer, hash: "" } })).toThrow(told("hash"));
  });

  it("knows a status that its row does not, and a refusal without its envelope", () => {
    const answered = (code: number, body: unknown) => () =>
      demandDocumented({ method: "GET", path: "/api/v1/auth/status", status: code, headers, body });
    expect(answered(201, { success: true })).toThrow("GET /api/v1/auth/status answers 201");
    expect(answered(404, { error: "gone" })).toThrow("GET /api/v1/auth/status answers 404");
    const error = { code: "NOT_FOUND", message: "Gone.", retryable: false };
    expect(answered(404, { success: false, error })).not.toThrow();
  });

  it("knows a type that its row does not", () => {
    const html = new Headers({ "Content-Type": "text/html; charset=utf-8" });
    expect(() =>
      demandDocumented({
        method: "GET",
        path: "/api/v1/auth/status",
        status: 200,
        headers: html,
        body: "",
      }),
    ).toThrow("GET /api/v1/auth/status answers 200 as text/html");
  });

  it("tells a row from the one whose parameter would fit as well", () => {
    const path = "/api/v1/catalogue/composites/by-product/prod_1";
    expect(() => demandDocumented({ method: "GET", path, status: 200, headers, body: {} })).toThrow(
      "GET /api/v1/catalogue/composites/by-product/{product_id}",
    );
  });
});
