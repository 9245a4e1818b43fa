import { type OperatorMethods, operatorRoutes } from "./generated/operator.ts";
import { createMethods } from "./runtime/methods.ts";
import type { ClientOptions } from "./runtime/types.ts";

export type OperatorOptions = ClientOptions &
  Readonly<
    | {
        /** The deployment's `OPERATOR_TOKEN`. */
        operatorToken: string;
      }
    | {
        /** For the console: the cookie of an operator's login takes the token's place. */
        credentials: "cookie";
      }
  >;

export type Operator = OperatorMethods;

/** A client of the operator, who creates, moves and closes businesses. */
export const createOperator = (options: OperatorOptions): Operator =>
  createMethods<OperatorMethods>(
    {
      options,
      prefix: "",
      caller:
        "operatorToken" in options
          ? { headers: () => ({ Authorization: `Bearer ${options.operatorToken}` }) }
          : { headers: () => ({}), usesCookie: true },
    },
    operatorRoutes,
  );
