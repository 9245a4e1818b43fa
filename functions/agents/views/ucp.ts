import { type CapabilityName, capabilityParents } from "../../../shared/agents/index.ts";
import type { AgentCall } from "../agent-call.ts";

/**
 * The protocol's own part of a body: the release, and of the active capabilities that of the
 * operation with its extensions.
 */
export function viewUcp(
  { release, capabilities }: Pick<AgentCall, "release" | "capabilities">,
  root: CapabilityName,
  status: "success" | "error" = "success",
) {
  const active = [...capabilities].filter(([name]) => name === root || extendsRoot(name, root));
  return {
    version: release,
    status,
    capabilities: Object.fromEntries(active.map(([name, version]) => [name, [{ version }]])),
  };
}

function extendsRoot(name: CapabilityName, root: CapabilityName): boolean {
  const parents: readonly CapabilityName[] = capabilityParents[name];
  return parents.includes(root);
}
