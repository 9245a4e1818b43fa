import type { Patch } from "../../kernel/index.ts";

/** A room or a machine that services need. */
export type Resource = Readonly<{
  id: string;
  name: string;
  /** The most participants at the same time, over all services. */
  capacity: number;
}>;

export type NewResource = Omit<Resource, "id">;
export type ResourcePatch = Patch<NewResource>;

export const applyResourcePatch = (resource: Resource, patch: ResourcePatch): Resource => ({
  id: resource.id,
  name: patch.name ?? resource.name,
  capacity: patch.capacity ?? resource.capacity,
});
