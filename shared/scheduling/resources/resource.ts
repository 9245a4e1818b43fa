import type { Patch } from "../../kernel/index.ts";

/** A room or a machine that services need during a booking. */
export type Resource = Readonly<{
  id: string;
  name: string;
  /** How many participants can use the resource at the same time, in all services together. */
  capacity: number;
}>;

export type NewResource = Omit<Resource, "id">;
export type ResourcePatch = Patch<NewResource>;

export const applyResourcePatch = (resource: Resource, patch: ResourcePatch): Resource => ({
  id: resource.id,
  name: patch.name ?? resource.name,
  capacity: patch.capacity ?? resource.capacity,
});
