import { type RouteConfig, z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler, Next } from "hono";
import { type FieldIssue, invalidFields, parseJson } from "../../../shared/kernel/index.ts";
import { isJsonRequest, maxJsonBytes } from "../bodies.ts";
import type { ApiEnv, RequestContext } from "../context.ts";
import { type AnySchema, findUnknownFields, type UnknownField } from "./find-unknown-fields.ts";
import { nearestName } from "./nearest-name.ts";
import { changedFields, isFieldOf } from "./record-fields.ts";

type RouteShapes = Readonly<{
  method: string;
  request: RequestShapes;
  /** The schema of the response's record. */
  response: AnySchema;
}>;

/**
 * Refuses input that the route does not know, or reports it in a header: the API decides which
 * (docs/contract/conventions.md#unknown-fields).
 */
export const checkUnknownInput = (shapes: RouteShapes): MiddlewareHandler<ApiEnv> =>
  async function checkRouteInput(c, next) {
    if (c.get("unknownInput") === "refused") return refuseUnknownInput(c, next, shapes);
    if (isTestCaller(c)) c.set("warning", warningFor(await findUnknownInput(c, shapes.request)));
    return next();
  };

/** Whether the call is of a business, or of a Link account, in test mode. */
function isTestCaller(c: RequestContext): boolean {
  const caller = c.get("caller");
  const mode =
    caller.type === "unauthenticated" ? c.get("linkSession")?.account.mode : caller.business.mode;
  return mode === "test";
}

/** The most fields, and the most parameters, that one response lists. */
const maxIssues = 20;

async function refuseUnknownInput(
  c: Context<ApiEnv>,
  next: Next,
  { method, request, response }: RouteShapes,
): Promise<Response | undefined> {
  const { query, body, json: sent } = await findUnknownInput(c, request);
  const isOfRecord = ({ path }: UnknownField) => method === "patch" && isFieldOf(response, path);
  const unknownFields = body.filter((field) => !isOfRecord(field));
  const issues = [
    ...query.slice(0, maxIssues).map((field) => unknownFieldIssue(field, "parameter")),
    ...unknownFields.slice(0, maxIssues).map((field) => unknownFieldIssue(field, "field")),
  ];
  if (issues.length > 0) throw invalidFields(issues);
  if (body.length > 0) {
    const current = await c.get("readRecord")();
    // A key that may not read the record cannot have it to write back.
    if (!current.ok && current.status !== 403) return current;
    const record = current.ok ? Object(await current.json()).data : undefined;
    const unchangeable = changedFields(body, { sent, record });
    if (unchangeable.length > 0)
      throw invalidFields(unchangeable.slice(0, maxIssues).map(unchangeableIssue));
  }
  await next();
}

function unknownFieldIssue(
  { path, knownNames }: UnknownField,
  kind: "field" | "parameter",
): FieldIssue {
  const nearest = nearestName(path.at(-1) ?? "", knownNames);
  const known =
    knownNames.length > 0 ? `the known ones are ${knownNames.join(", ")}` : "this call takes none";
  const hint = nearest === null ? known : `did you mean ${nearest}?`;
  return { field: displayName(path), message: `is not a known ${kind}; ${hint}` };
}

const unchangeableIssue = ({ path }: UnknownField): FieldIssue => ({
  field: displayName(path),
  message: "cannot be changed",
});

const maxDisplayLength = 200;

const displayName = (path: readonly string[]): string =>
  path.join(".").slice(0, maxDisplayLength) || '""';

const maxWarnings = 10;
const maxWarningNameLength = 64;

/**
 * The Warning header that names ignored input; null without any. Callers choose the names, so other
 * characters than those of a name are replaced, and their number and length are limited.
 */
function warningFor({ query, body }: UnknownInput): string | null {
  const names = [...query.map(warningName("query")), ...body.map(warningName("body"))];
  if (names.length === 0) return null;
  const more = names.length > maxWarnings ? " and more" : "";
  return `299 - "Ignored unknown input: ${names.slice(0, maxWarnings).join(", ")}${more}"`;
}

const warningName =
  (place: "query" | "body") =>
  ({ path }: UnknownField): string =>
    `${place}.${path
      .join(".")
      .slice(0, maxWarningNameLength)
      .replaceAll(/[^\w.-]/g, "?")}`;

export type RequestShapes = Pick<NonNullable<RouteConfig["request"]>, "query" | "body">;

/** What a request holds that its route does not know; `json` is the whole body. */
export type UnknownInput = Readonly<{
  query: readonly UnknownField[];
  body: readonly UnknownField[];
  json: unknown;
}>;

const noFields = z.object({});

async function findUnknownInput(
  c: RequestContext,
  { query = noFields, body }: RequestShapes,
): Promise<UnknownInput> {
  const { searchParams } = new URL(c.req.url);
  const json = await readJson(c, body);
  return {
    query: findUnknownFields(query, Object.fromEntries(searchParams)),
    body: findUnknownFields(bodySchema(body), json),
    json,
  };
}

/** The JSON body; undefined without one, and for text that validation refuses later. */
async function readJson(c: RequestContext, body: RequestShapes["body"]): Promise<unknown> {
  const isRead = body ? "application/json" in body.content : isSmallBody(c);
  return isRead && isJsonRequest(c) ? parseJson(await c.req.text()) : undefined;
}

/** A call without a body of its own reads none that may be large. */
const isSmallBody = ({ req }: RequestContext): boolean =>
  req.method !== "GET" && Number(req.header("content-length") ?? Number.NaN) <= maxJsonBytes;

function bodySchema(body: RequestShapes["body"]): AnySchema {
  if (!body) return noFields;
  const content = body.content["application/json"];
  const schema = content && "schema" in content ? content.schema : undefined;
  return schema instanceof z.ZodType ? schema : z.unknown();
}
