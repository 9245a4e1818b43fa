import { z } from "@hono/zod-openapi";

export const RemovedView = z
  .object({ id: z.string(), deleted: z.literal(true) })
  .openapi("LinkRemoved");

export const viewRemoved = (id: string) => ({ id, deleted: true as const });
