import { type OperatorMethods, operatorRoutes } from "./generated/operator.ts";
import { createMethods } from "./runtime/methods.ts";
import type { ClientOptions } from "./runtime/types.ts";

export type OperatorOptions = ClientOptions &
  Readonly<{
    /** The deployment's `OPERATOR_TOKEN`. */
    operatorToken: string;
  }>;

export type Operator = OperatorMethods;

/** A client of the operator, who creates, moves and closes businesses. */
export const createOperator = (options: OperatorOptions): Operator =>
  createMethods<OperatorMethods>(
    {
      options,
      prefix: "",
      caller: { headers: () => ({ Authorization: `Bearer ${options.operatorToken}` }) },
    },
    operatorRoutes,
  );
