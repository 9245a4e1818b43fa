/** Begins the keys under which a session stores the checkouts that agents complete. */
const agentKeyPrefix = "agent.";

export const newAgentKey = (newId: (prefix: "ci") => string): string =>
  `${agentKeyPrefix}${newId("ci")}`;

export const isAgentKey = (key: string): boolean => key.startsWith(agentKeyPrefix);
