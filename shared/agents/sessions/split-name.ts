import type { AgentBuyer } from "../agent-session.ts";

/** The shop knows a name as one text, and the protocol has two parts: the last word is the second. */
export function splitName(name: string | null): Pick<AgentBuyer, "firstName" | "lastName"> {
  const words = (name ?? "").trim().split(/\s+/);
  const last = words.length > 1 ? (words.at(-1) ?? null) : null;
  const first = words.slice(0, words.length > 1 ? -1 : undefined).join(" ");
  return { firstName: first === "" ? null : first, lastName: last };
}
