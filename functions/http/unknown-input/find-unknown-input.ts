import { type RouteConfig, z } from "@hono/zod-openapi";
import { parseJson } from "../../../shared/kernel/index.ts";
import type { RequestContext } from "../context.ts";
import { isJsonRequest, maxJsonBytes } from "../json.ts";
import { type AnySchema, findUnknownFields, type UnknownField } from "./find-unknown-fields.ts";

export type RequestShapes = Pick<NonNullable<RouteConfig["request"]>, "query" | "body">;

/** What a request holds that its route does not know; `json` is the whole body. */
export type UnknownInput = Readonly<{
  query: readonly UnknownField[];
  body: readonly UnknownField[];
  json: unknown;
}>;

const noFields = z.object({});

export async function findUnknownInput(
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
