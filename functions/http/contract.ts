import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { eventTypes } from "../../shared/events/index.ts";
import type { SurfaceEnv } from "./api-env.ts";
import { type Access, demand } from "./authentication/access.ts";
import type { SecondRun } from "./idempotency/claiming.ts";
import {
  type AnswersOf,
  answersOfKey,
  answersOfOperator,
  idempotent,
} from "./idempotency/idempotency.ts";
import { idempotencyKeyParameter } from "./idempotency/key.ts";
import { jsonBody } from "./json/json-body.ts";

type Method = "get" | "post" | "put" | "patch" | "delete";
type Shapes = NonNullable<RouteConfig["request"]>;

const content = <S extends z.ZodType>(schema: S) => ({
  content: { "application/json": { schema } },
});

/** A JSON body; declared required always, since optional fields carry defaults. */
export const json = <S extends z.ZodType>(schema: S) => ({
  ...content(schema),
  required: true as const,
});

/** The success envelope around `data` (interface.md, Endpoints). */
export const answer = <T>(data: T) => ({ success: true as const, data });

const Refused = z
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

type Row<A extends z.ZodType, S extends 200 | 201> = {
  summary: string;
  /** Whose key the call takes, and with which scope. */
  access: Access;
  answer: A;
  status?: S;
  /**
   * Where the answers of a shopper's write are kept for a repeat (completions.md 6); itself: by what
   * makes the change, together with it. Left out where nothing is written or no answer is kept.
   */
  answersOf?: AnswersOf | "itself";
  /**
   * Of a write whose answers are kept: that it may be run again without harm, since it finds by itself what
   * an earlier run did (`requestKeyOf`) or does what may stand twice, and asks its shop's database before
   * it does anything at all. Then the Idempotency-Key's claim costs no round trip. "alike": the second
   * run answers as the first did unless something else happened to the record, and so the answer is kept
   * behind its back; "anew": it may answer otherwise (another quote, what a provider says by then), and so
   * the answer is kept before it is sent, for a round trip.
   */
  knowsRepeats?: SecondRun;
  /**
   * Of a write that takes several steps: that a second run finishes what the first one began, and does
   * nothing twice by itself. Any other is not run again once it has written (`seal` in idempotency-repo.ts).
   */
  goesOn?: true;
};

/** One row of the contract: who may ask, the request's shapes, the enveloped answer, the refusals. */
export const contract = <
  M extends Method,
  P extends string,
  A extends z.ZodType,
  R extends Shapes,
  S extends 200 | 201 = 200,
>(
  method: M,
  path: P,
  { summary, access, answer, status, answersOf, knowsRepeats, goesOn, ...request }: Row<A, S> & R,
) =>
  createRoute({
    ...asked(
      method,
      path,
      { summary, access, answersOf, knowsRepeats, goesOn },
      request as unknown as R, // safe: R is what is left of the argument
    ),
    responses: {
      [status ?? 200]: {
        description: summary,
        ...content(z.object({ success: z.literal(true), data: answer })),
      },
      default: { description: "Refused", ...content(Refused) },
    } as Record<S, Enveloped<A>> & { default: typeof refusedResponse }, // safe: built just above
  });

/** As `contract`, for an answer without an envelope: its schema says where `success` stands. */
export const flatContract = <
  M extends Method,
  P extends string,
  A extends z.ZodType,
  R extends Shapes,
>(
  method: M,
  path: P,
  {
    summary,
    access,
    answer,
    answersOf,
    ...request
  }: Omit<Row<A, 200>, "status" | "knowsRepeats" | "goesOn"> & R,
) =>
  createRoute({
    ...asked(method, path, { summary, access, answersOf }, request as unknown as R), // safe: as above
    responses: { 200: { description: summary, ...content(answer) }, default: refusedResponse },
  });

const asked = <M extends Method, P extends string, R extends Shapes>(
  method: M,
  path: P,
  {
    summary,
    access,
    answersOf = method === "get" ? undefined : keptAnswersOf(access),
    knowsRepeats = null,
    goesOn = false,
  }: {
    summary: string;
    access: Access;
    answersOf?: Row<z.ZodType, 200>["answersOf"] | undefined;
    knowsRepeats?: SecondRun | null | undefined;
    goesOn?: boolean | undefined;
  },
  request: R,
) => ({
  method,
  path,
  summary,
  security: securityOf(access),
  middleware: middlewareOf({
    ...{ access, answersOf, knowsRepeats, goesOn },
    takesJson: takesJson(request),
  }),
  ...(answersOf && { parameters: [idempotencyKeyParameter] }),
  request,
});

const takesJson = ({ body }: { body?: Shapes["body"] | undefined }): boolean =>
  body !== undefined && "application/json" in body.content;

function middlewareOf({
  access,
  answersOf,
  knowsRepeats,
  goesOn,
  takesJson,
}: {
  access: Access;
  answersOf: AnswersOf | "itself" | undefined;
  knowsRepeats: SecondRun | null;
  goesOn: boolean;
  takesJson: boolean;
}): MiddlewareHandler<SurfaceEnv>[] {
  return [
    demand(access),
    ...(takesJson ? [jsonBody] : []),
    ...(answersOf && answersOf !== "itself"
      ? [idempotent({ takesJson, answersOf, knowsRepeats, goesOn })]
      : []),
  ];
}

/**
 * A merchant's write may be repeated with its Idempotency-Key, and so may the operator's and one of
 * a Worker's own callers; of a shopper's, its row says how.
 */
function keptAnswersOf(access: Access): AnswersOf | undefined {
  switch (access.kind) {
    case "own":
      return access.answersOf ?? undefined;
    case "operator":
      return answersOfOperator;
    case "secret":
    case "deploy":
      return answersOfKey;
    case "publishable":
      return undefined;
  }
}

/** What every row may answer besides: the failure envelope. */
export const refusedResponse = { description: "Refused", ...content(Refused) };

type Enveloped<A extends z.ZodType> = {
  description: string;
  content: {
    "application/json": { schema: z.ZodObject<{ success: z.ZodLiteral<true>; data: A }> };
  };
};

/** The OpenAPI name of each credential. */
function securityOf(access: Access): Record<string, string[]>[] {
  switch (access.kind) {
    case "publishable":
      return [{ publishableKey: [] }];
    case "secret":
      return [{ secretKey: [access.scope] }];
    case "deploy":
      return [{ deployKey: [] }];
    case "operator":
      return [{ operatorToken: [] }];
    case "own":
      return [...access.security];
  }
}
