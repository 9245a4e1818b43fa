import type { Patch } from "../../kernel/index.ts";

/** A room, a machine: what services take places of. */
export type Resource = Readonly<{
  id: string;
  name: string;
  /** Participants at once, of all services together. */
  capacity: number;
}>;

export type NewResource = Omit<Resource, "id">;
export type ResourcePatch = Patch<NewResource>;

export const patchedResource = (resource: Resource, patch: ResourcePatch): Resource => ({
  id: resource.id,
  name: patch.name ?? resource.name,
  capacity: patch.capacity ?? resource.capacity,
});
