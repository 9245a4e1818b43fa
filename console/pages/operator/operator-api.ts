import { createOperator } from "@duka/sdk/operator";

/** The calls of an operator who is logged in. They belong to no business. */
export const operatorApi = createOperator({
  baseUrl: window.location.origin,
  credentials: "cookie",
});

export type OperatorStatus = Awaited<ReturnType<typeof operatorApi.deployment.getStatus>>["data"];

/** Begins the cache keys of what the operator's page reads. */
export const operatorKey = "operator";
