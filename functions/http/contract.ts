import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { eventTypes } from "../../shared/events/index.ts";
import { type Access, assertAccess } from "./authentication/access.ts";
import type { ApiEnv } from "./context.ts";
import type { ReplayBehavior } from "./idempotency/deferred-claim.ts";
import {
  idempotencyMiddleware,
  storeByApiKey,
  storeByOperator,
} from "./idempotency/idempotency.ts";
import { idempotencyKeyParameter } from "./idempotency/idempotency-key.ts";
import type { SelectResponseStore } from "./idempotency/response-store.ts";
import { acceptJsonBody } from "./json.ts";

type HttpMethod = "get" | "post" | "put" | "patch" | "delete";
type RequestShapes = NonNullable<RouteConfig["request"]>;

const jsonContent = <S extends z.ZodType>(schema: S) => ({
  content: { "application/json": { schema } },
});

/** A JSON body; declared required always, since optional fields carry defaults. */
export const requireJson = <S extends z.ZodType>(schema: S) => ({
  ...jsonContent(schema),
  required: true as const,
});

/** The success envelope around `data` (docs/contract/conventions.md#envelope). */
export const envelope = <T>(data: T) => ({ success: true as const, data });

const ErrorResponse = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.string(),
      message: z.string(),
      retryable: z.boolean(),
      context: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .openapi("Refused");

export const EventName = z.enum(eventTypes).openapi("EventName");

/** How a repeat of a write with the same Idempotency-Key is answered. */
export type RouteIdempotency = Readonly<{
  /**
   * Where responses are stored for a repeat. "domain": the use case stores its result together with
   * its change and recognises the repeat itself.
   */
  store?: SelectResponseStore | "domain" | undefined;
  /**
   * Set where running the use case twice is harmless, because it recognises what an earlier run did
   * or because its effect may exist twice. The key is then claimed inside the use case's own first
   * batch, without a round trip. "same": the second run gives the same response, so it is stored
   * after the response was sent. "fresh": it may differ, so it is stored before.
   */
  replay?: ReplayBehavior;
  /** Whether a second run continues a write of several steps that an earlier run began. */
  resumable?: boolean;
}>;

type RouteOptions<A extends z.ZodType, S extends 200 | 201> = {
  summary: string;
  /** The credential that the call takes, and the scope that it needs. */
  access: Access;
  /** The schema of `data` in the success envelope. */
  response: A;
  status?: S;
  /** By default a write with a secret key is stored by that key, and a shopper's write is not. */
  idempotency?: RouteIdempotency;
};

/** One endpoint: its credential, request schemas, response, and the error response that all share. */
export const route = <
  M extends HttpMethod,
  P extends string,
  A extends z.ZodType,
  R extends RequestShapes,
  S extends 200 | 201 = 200,
>(
  method: M,
  path: P,
  { summary, access, response, status, idempotency, ...request }: RouteOptions<A, S> & R,
) =>
  createRoute({
    ...routeConfig(
      method,
      path,
      { summary, access, idempotency },
      request as unknown as R, // safe: R is what is left of the argument
    ),
    responses: {
      [status ?? 200]: {
        description: summary,
        ...jsonContent(z.object({ success: z.literal(true), data: response })),
      },
      default: errorResponse,
    } as Record<S, EnvelopedResponse<A>> & { default: typeof errorResponse }, // safe: built just above
  });

/** An endpoint whose response has no envelope; its schema places `success` itself. */
export const unwrappedRoute = <
  M extends HttpMethod,
  P extends string,
  A extends z.ZodType,
  R extends RequestShapes,
>(
  method: M,
  path: P,
  { summary, access, response, idempotency, ...request }: Omit<RouteOptions<A, 200>, "status"> & R,
) =>
  createRoute({
    ...routeConfig(method, path, { summary, access, idempotency }, request as unknown as R), // safe: as above
    responses: { 200: { description: summary, ...jsonContent(response) }, default: errorResponse },
  });

const routeConfig = <M extends HttpMethod, P extends string, R extends RequestShapes>(
  method: M,
  path: P,
  {
    summary,
    access,
    idempotency: { store: selectedStore, replay, resumable = false } = {},
  }: { summary: string; access: Access; idempotency: RouteIdempotency | undefined },
  request: R,
) => {
  const store = selectedStore ?? (method === "get" ? undefined : defaultResponseStore(access));
  return {
    method,
    path,
    summary,
    security: securityRequirements(access),
    middleware: routeMiddleware({
      access,
      idempotency: { store, replay, resumable },
      takesJson: takesJson(request),
    }),
    ...(store && { parameters: [idempotencyKeyParameter] }),
    request,
  };
};

const takesJson = ({ body }: { body?: RequestShapes["body"] | undefined }): boolean =>
  body !== undefined && "application/json" in body.content;

function routeMiddleware({
  access,
  idempotency: { store, replay, resumable },
  takesJson,
}: {
  access: Access;
  idempotency: {
    store: SelectResponseStore | "domain" | undefined;
    replay: ReplayBehavior | undefined;
    resumable: boolean;
  };
  takesJson: boolean;
}): MiddlewareHandler<ApiEnv>[] {
  return [
    assertAccess(access),
    ...(takesJson ? [acceptJsonBody] : []),
    ...(store && store !== "domain"
      ? [idempotencyMiddleware({ takesJson, selectStore: store, replay, resumable })]
      : []),
  ];
}

/** The store of a write whose route names none; a shopper's writes are stored only where named. */
function defaultResponseStore(access: Access): SelectResponseStore | undefined {
  switch (access.kind) {
    case "custom":
      return access.responseStore ?? undefined;
    case "operator":
      return storeByOperator;
    case "secret":
    case "deploy":
      return storeByApiKey;
    case "publishable":
      return undefined;
  }
}

/** The failure envelope, which every route may return. */
export const errorResponse = { description: "Refused", ...jsonContent(ErrorResponse) };

type EnvelopedResponse<A extends z.ZodType> = {
  description: string;
  content: {
    "application/json": { schema: z.ZodObject<{ success: z.ZodLiteral<true>; data: A }> };
  };
};

/** The OpenAPI security requirement of a credential. */
function securityRequirements(access: Access): Record<string, string[]>[] {
  switch (access.kind) {
    case "publishable":
      return [{ publishableKey: [] }];
    case "secret":
      return [{ secretKey: [access.scope] }];
    case "deploy":
      return [{ deployKey: [] }];
    case "operator":
      return [{ operatorToken: [] }];
    case "custom":
      return [...access.security];
  }
}
