import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { loadDocumentValidator } from "./published-documents.ts";

export type EndToEndResponse = Readonly<{
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}>;

export type EndToEndClient = (
  method: string,
  path: string,
  request?: Readonly<{ body?: unknown; headers?: Readonly<Record<string, string>> }>,
) => Promise<EndToEndResponse>;

const responseTimeoutMs = 30_000;
const maxAttempts = 10;

/**
 * Creates a client for one base URL and credential. It keeps the session's cookie, which is Secure and
 * would not be sent over plain HTTP by others. Every response is checked against the OpenAPI documents.
 */
export function createClient(
  base: string,
  credential: Readonly<Record<string, string>> = {},
): EndToEndClient {
  let cookie: string | null = null;
  return async (method, path, { body, headers } = {}) => {
    const isText = typeof body === "string";
    const response = await sendRequest(`${base}${path}`, {
      method,
      headers: {
        ...credential,
        ...(cookie !== null && { Cookie: cookie }),
        ...(body !== undefined && { "Content-Type": isText ? "text/csv" : "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    cookie = sessionCookieIn(response.headers) ?? cookie;
    return response;
  };
}

/** The data of a response, which must be a success. */
export function dataOf(response: EndToEndResponse) {
  expect(response.status, response.text).toBeLessThan(300);
  expect(response.body).toMatchObject({ success: true });
  return Object(response.body).data;
}

async function sendRequest(url: string, init: RequestInit): Promise<EndToEndResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(responseTimeoutMs) });
    const { status, headers } = response;
    const text = await response.text();
    const isJson = headers.get("Content-Type")?.startsWith("application/json") ?? false;
    const body: unknown = isJson ? JSON.parse(text) : null;
    const { origin, pathname: path } = new URL(url);
    const method = init.method ?? "GET";
    expectSafeHeaders(headers, `${method} ${path}`);
    if (isJson) expectCommonHeaders(headers, `${method} ${path}`);
    (await loadDocumentValidator(origin)).assertResponse({ method, path, status, headers, body });
    if (status !== 429 || attempt === maxAttempts) return { status, headers, text, body };
    await pause(Number(headers.get("Retry-After")) * 1_000);
  }
}

/** Checks the headers that protect browsers; an HTML page also needs a Content-Security-Policy. */
function expectSafeHeaders(headers: Headers, call: string): void {
  expect(headers.get("X-Content-Type-Options"), `X-Content-Type-Options of ${call}`).toBe(
    "nosniff",
  );
  expect(headers.get("Referrer-Policy"), `Referrer-Policy of ${call}`).toMatch(
    /^(?:no-referrer|same-origin)$/,
  );
  if (headers.get("Content-Type")?.startsWith("text/html"))
    expect(headers.get("Content-Security-Policy"), `Content-Security-Policy of ${call}`).toMatch(
      /^default-src 'none'; .*base-uri 'none'/,
    );
}

/** Checks the headers that every JSON response has. */
function expectCommonHeaders(headers: Headers, call: string): void {
  const value = (name: string) => headers.get(name) ?? "";
  expect(value("X-Request-Id"), `X-Request-Id of ${call}`).toMatch(/^[\w.:-]{8,128}$/);
  for (const name of ["X-RateLimit-Limit", "X-RateLimit-Remaining"])
    expect(value(name), `${name} of ${call}`).toMatch(/^\d+$/);
  expect(value("X-RateLimit-Reset"), `X-RateLimit-Reset of ${call}`).toMatch(/^\d{10}$/);
  expect(value("Server-Timing"), `Server-Timing of ${call}`).toMatch(/\bd1;desc="\d+"/);
  expect(value("Server-Timing"), `Server-Timing of ${call}`).toMatch(/\bdo;desc="\d+"/);
}

const sessionCookieIn = (headers: Headers): string | undefined =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith("__Host-session="))
    ?.split(";")[0];
