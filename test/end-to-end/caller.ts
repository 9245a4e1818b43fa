import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { publishedAt } from "./published-at.ts";

export type Answer = Readonly<{ status: number; headers: Headers; text: string; body: unknown }>;

export type Caller = (
  method: string,
  path: string,
  request?: Readonly<{ body?: unknown; headers?: Readonly<Record<string, string>> }>,
) => Promise<Answer>;

const answersWithinMs = 30_000;
const mostTries = 10;

/**
 * Someone who calls under one address with one credential and keeps their session's cookie: it is
 * Secure, so that no client but this one would send it over plain HTTP. Each answer is held to what
 * the service publishes.
 */
export function callerAt(base: string, credential: Readonly<Record<string, string>> = {}): Caller {
  let cookie: string | null = null;
  return async (method, path, { body, headers } = {}) => {
    const isText = typeof body === "string";
    const answer = await ask(`${base}${path}`, {
      method,
      headers: {
        ...credential,
        ...(cookie !== null && { Cookie: cookie }),
        ...(body !== undefined && { "Content-Type": isText ? "text/csv" : "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    cookie = sessionIn(answer.headers) ?? cookie;
    return answer;
  };
}

/** The data of an answer that must be a success. */
export function done(answer: Answer) {
  expect(answer.status, answer.text).toBeLessThan(300);
  expect(answer.body).toMatchObject({ success: true });
  return Object(answer.body).data;
}

async function ask(url: string, init: RequestInit): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(answersWithinMs) });
    const { status, headers } = response;
    const text = await response.text();
    const isJson = headers.get("Content-Type")?.startsWith("application/json") ?? false;
    const body: unknown = isJson ? JSON.parse(text) : null;
    const { origin, pathname: path } = new URL(url);
    const method = init.method ?? "GET";
    expectSafeHeaders(headers, `${method} ${path}`);
    if (isJson) expectCommonHeaders(headers, `${method} ${path}`);
    (await publishedAt(origin)).demandAnswer({ method, path, status, headers, body });
    if (status !== 429 || tries === mostTries) return { status, headers, text, body };
    await pause(Number(headers.get("Retry-After")) * 1_000);
  }
}

/** What keeps a browser from guessing types and from telling addresses; a page names what it may load. */
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

/** What every answer of the service carries (interface.md, Limits; completions.md 1). */
function expectCommonHeaders(headers: Headers, call: string): void {
  const value = (name: string) => headers.get(name) ?? "";
  expect(value("X-Request-Id"), `X-Request-Id of ${call}`).toMatch(/^[\w.:-]{8,128}$/);
  for (const name of ["X-RateLimit-Limit", "X-RateLimit-Remaining"])
    expect(value(name), `${name} of ${call}`).toMatch(/^\d+$/);
  expect(value("X-RateLimit-Reset"), `X-RateLimit-Reset of ${call}`).toMatch(/^\d{10}$/);
  expect(value("Server-Timing"), `Server-Timing of ${call}`).toMatch(/\bd1;desc="\d+"/);
  expect(value("Server-Timing"), `Server-Timing of ${call}`).toMatch(/\bdo;desc="\d+"/);
}

const sessionIn = (headers: Headers): string | undefined =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith("__Host-session="))
    ?.split(";")[0];
