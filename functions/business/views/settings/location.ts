import { z } from "@hono/zod-openapi";
import type { Closure, Location } from "../../../../shared/businesses/index.ts";
import { isoOrNull } from "../../../../shared/kernel/index.ts";
import { PublicLocationView, viewPublicLocation } from "../../../wire/views/location.ts";

export const ClosureView = z.object({
  from: z.string(),
  to: z.string(),
  reason: z.string().nullable(),
});

export const viewClosures = (closures: readonly Closure[]): z.infer<typeof ClosureView>[] =>
  closures.map((closure) => ({ ...closure }));

/** A location as its merchant sees it, with closures and when it was archived. */
export const LocationView = PublicLocationView.extend({
  closures: z.array(ClosureView),
  archived_at: z.string().nullable(),
}).openapi("BusinessLocation");
export type LocationView = z.infer<typeof LocationView>;

export const viewLocation = (
  location: Location,
  archivedAt: number | null = null,
): LocationView => ({
  ...viewPublicLocation(location),
  closures: viewClosures(location.closures),
  archived_at: isoOrNull(archivedAt),
});
