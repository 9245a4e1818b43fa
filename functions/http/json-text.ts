import type { TypedResponse } from "hono";
import type { JSONParsed } from "hono/utils/types";
import type { RequestContext } from "./surface-env.ts";

export type Enveloped<T> = TypedResponse<JSONParsed<{ success: true; data: T }>, 200, "json">;

/** Answers with data that is JSON already: what made it wrote a T. */
export const answerText = <T>(c: RequestContext, data: string): Enveloped<T> =>
  enveloped(c.body(`{"success":true,"data":${data}}`, 200, { "Content-Type": "application/json" }));

// Safe: whoever calls it made the response's text of an enveloped T.
export const enveloped = <T>(response: Response) => response as unknown as Enveloped<T>;
