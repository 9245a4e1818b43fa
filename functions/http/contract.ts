import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { eventTypes } from "../../shared/events/index.ts";
import { type Access, assertAccess } from "./authentication/access.ts";
import { acceptJsonBody, limitBodyTime } from "./bodies.ts";
import type { ApiEnv } from "./context.ts";
import type { ReplayBehavior } from "./idempotency/deferred-claim.ts";
import {
  type BodyKind,
  idempotencyMiddleware,
  storeByApiKey,
  storeByApiKeyOrOperator,
  storeByOperator,
} from "./idempotency/idempotency.ts";
import { idempotencyKeyParameter } from "./idempotency/idempotency-key.ts";
import type { SelectResponseStore } from "./idempotency/response-store.ts";
import { documentOperation, type OperationInfo } from "./openapi/operation-info.ts";
import { checkUnknownInput } from "./unknown-input/check-unknown-input.ts";

type HttpMethod = "get" | "post" | "put" | "patch" | "delete";
type RequestShapes = NonNullable<RouteConfig["request"]>;

const jsonContent = <S extends z.ZodType>(schema: S) => ({
  content: { "application/json": { schema } },
});

/**
 * A JSON body. The document always declares the body as required, even when all fields have
 * defaults.
 */
export const requireJson = <S extends z.ZodType>(schema: S) => ({
  ...jsonContent(schema),
  required: true as const,
});

/** The success envelope around `data` (docs/contract/conventions.md#envelope). */
export const envelope = <T>(data: T) => ({ success: true as const, data });

export const EventName = z.enum(eventTypes).openapi("EventName");

/** How a write responds to a repeated request with the same Idempotency-Key. */
export type RouteIdempotency = Readonly<{
  /**
   * Where responses are stored for repeated requests. "domain" means that the use case stores its
   * result together with its change, and recognises the repeated request itself.
   */
  store?: SelectResponseStore | "domain" | undefined;
  /**
   * Set when running the use case twice is harmless. Its key is then claimed in the use case's own
   * first batch, without an extra round trip. "same": a second run responds the same, so the
   * response is stored after it was sent. "fresh": the response may differ, so it is stored first.
   */
  replay?: ReplayBehavior;
  /** Whether a second run continues a write of several steps where the earlier run stopped. */
  resumable?: boolean;
}>;

type RouteOptions<A extends z.ZodType, S extends 200 | 201> = OperationInfo & {
  /** The credential that the call requires, with the scope that a secret key needs. */
  access: Access;
  /** The schema of `data` in the success envelope. */
  response: A;
  status?: S;
  /**
   * By default the response to a secret key's write is stored, and the response to a shopper's is
   * not.
   */
  idempotency?: RouteIdempotency;
};

/**
 * Defines an endpoint: its credential, request schemas and response, and the common error response.
 */
export const route = <
  M extends HttpMethod,
  P extends string,
  A extends z.ZodType,
  R extends RequestShapes,
  S extends 200 | 201 = 200,
>(
  method: M,
  path: P,
  options: RouteOptions<A, S> & R,
) => {
  const { response, status } = options;
  return createRoute({
    ...routeConfig(method, path, options),
    responses: {
      [status ?? 200]: {
        description: options.summary,
        ...jsonContent(z.object({ success: z.literal(true), data: response })),
      },
    } as Record<S, EnvelopedResponse<A>>, // safe: built just above
  });
};

/** Defines an endpoint whose response has no envelope. Its own schema contains `success`. */
export const unwrappedRoute = <
  M extends HttpMethod,
  P extends string,
  A extends z.ZodType,
  R extends RequestShapes,
>(
  method: M,
  path: P,
  options: Omit<RouteOptions<A, 200>, "status"> & R,
) =>
  createRoute({
    ...routeConfig(method, path, options),
    responses: { 200: { description: options.summary, ...jsonContent(options.response) } },
  });

const routeConfig = <M extends HttpMethod, P extends string, R extends RequestShapes>(
  method: M,
  path: P,
  options: RouteOptions<z.ZodType, 200 | 201> & R,
) => {
  const { access, response, idempotency = {} } = options;
  const { store: selectedStore, replay, resumable = false } = idempotency;
  const request = requestOf<R>(options);
  const store = selectedStore ?? (method === "get" ? undefined : defaultResponseStore(access));
  return {
    method,
    path,
    ...documentOperation(options, { access, isRepeatable: store !== undefined }),
    middleware: [
      ...routeMiddleware({
        access,
        idempotency: { store, replay, resumable },
        bodyKind: bodyKindOf(request),
      }),
      checkUnknownInput({ method, request, response }),
    ],
    ...(store && { parameters: [idempotencyKeyParameter] }),
    request,
  };
};

const requestParts = ["params", "query", "body", "headers"] as const;

/** The schemas of the request, without the other options of the row. */
function requestOf<R extends RequestShapes>(options: R): R {
  const parts = requestParts.filter((part) => options[part] !== undefined);
  return Object.fromEntries(parts.map((part) => [part, options[part]])) as R; // safe: a request has no other part
}

function bodyKindOf({ body }: { body?: RequestShapes["body"] | undefined }): BodyKind {
  if (body === undefined) return "none";
  return "application/json" in body.content ? "json" : "file";
}

function routeMiddleware({
  access,
  idempotency: { store, replay, resumable },
  bodyKind,
}: {
  access: Access;
  idempotency: {
    store: SelectResponseStore | "domain" | undefined;
    replay: ReplayBehavior | undefined;
    resumable: boolean;
  };
  bodyKind: BodyKind;
}): MiddlewareHandler<ApiEnv>[] {
  return [
    assertAccess(access),
    bodyKind === "json" ? acceptJsonBody : limitBodyTime,
    ...(store && store !== "domain"
      ? [idempotencyMiddleware({ bodyKind, selectStore: store, replay, resumable })]
      : []),
  ];
}

/**
 * Where a write's responses are stored when its route does not say so. With a publishable key they
 * are not stored.
 */
function defaultResponseStore(access: Access): SelectResponseStore | undefined {
  switch (access.kind) {
    case "custom":
      return access.responseStore ?? undefined;
    case "operator":
      return storeByOperator;
    case "secretOrOperator":
      return storeByApiKeyOrOperator;
    case "secret":
    case "deploy":
      return storeByApiKey;
    case "publishable":
      return undefined;
  }
}

type EnvelopedResponse<A extends z.ZodType> = {
  description: string;
  content: {
    "application/json": { schema: z.ZodObject<{ success: z.ZodLiteral<true>; data: A }> };
  };
};
