import { z } from "@hono/zod-openapi";

/** Unlike `.nullable()`, a union documents a named schema as nullable. */
export const nullable = <T extends z.ZodType>(named: T) => z.union([named, z.null()]);
