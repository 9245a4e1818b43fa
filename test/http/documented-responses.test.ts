import { describe, expect, it } from "vitest";
import { assertDocumentedResponse } from "../support/documented-responses.ts";

const headers = new Headers({ "Content-Type": "application/json" });

const assertStatusResponse = (data: unknown) => () =>
  assertDocumentedResponse({
    method: "GET",
    path: "/api/v1/auth/status?",
    status: 200,
    headers,
    body: { success: true, data },
  });

const customer = {
  id: "cus_1",
  name: "Ama",
  email: null,
  phone: null,
  pending_email: null,
  pending_phone: null,
};
const anonymous = { is_authenticated: false, customer: null, session_expires_at: null };

describe("assertDocumentedResponse", () => {
  it("accepts a documented response", () => {
    expect(assertStatusResponse(anonymous)).not.toThrow();
  });

  it("names the operation and a field that is missing, of another type or undocumented", () => {
    const { customer: _, ...without } = anonymous;
    const errorAbout = (field: string) =>
      new RegExp(`^GET /api/v1/auth/status responds 200 .*${field}`);
    expect(assertStatusResponse(without)).toThrow(errorAbout("data.customer"));
    expect(assertStatusResponse({ ...anonymous, is_authenticated: "no" })).toThrow(
      errorAbout("data.is_authenticated"),
    );
    expect(assertStatusResponse({ ...anonymous, more: 1 })).toThrow(errorAbout("more"));
    expect(assertStatusResponse({ ...anonymous, customer: { ...customer, hash: "" } })).toThrow(
      errorAbout("hash"),
    );
  });

  it("rejects an undocumented status and an error without its envelope", () => {
    const assertResponse = (code: number, body: unknown) => () =>
      assertDocumentedResponse({
        method: "GET",
        path: "/api/v1/auth/status",
        status: code,
        headers,
        body,
      });
    expect(assertResponse(201, { success: true })).toThrow("GET /api/v1/auth/status responds 201");
    expect(assertResponse(404, { error: "gone" })).toThrow("GET /api/v1/auth/status responds 404");
    const error = { code: "NOT_FOUND", message: "Gone.", retryable: false };
    expect(assertResponse(404, { success: false, error: { ...error, code: "CONFLICT" } })).toThrow(
      "GET /api/v1/auth/status responds 404 with a body that is not documented: error.code",
    );
    expect(assertResponse(422, { success: false, error })).toThrow(
      "GET /api/v1/auth/status responds 422, which is not documented",
    );
    expect(assertResponse(404, { success: false, error })).not.toThrow();
  });

  it("rejects an undocumented content type", () => {
    const html = new Headers({ "Content-Type": "text/html; charset=utf-8" });
    expect(() =>
      assertDocumentedResponse({
        method: "GET",
        path: "/api/v1/auth/status",
        status: 200,
        headers: html,
        body: "",
      }),
    ).toThrow("GET /api/v1/auth/status responds 200 as text/html");
  });

  it("prefers a literal path to one with a parameter", () => {
    const path = "/api/v1/catalogue/composites/by-product/prod_1";
    expect(() =>
      assertDocumentedResponse({ method: "GET", path, status: 200, headers, body: {} }),
    ).toThrow("GET /api/v1/catalogue/composites/by-product/{product_id}");
  });
});
