import { ProtocolError } from "../protocol-error.ts";
import type { AgentInput } from "./agent-operation.ts";

/** The id of the record that a call is about. @throws ProtocolError without one. */
export function requireRecordId({ id }: AgentInput): string {
  if (id !== null) return id;
  throw new ProtocolError("invalid_request", "id is required.");
}
