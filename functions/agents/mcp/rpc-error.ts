/** The codes of JSON-RPC and those that the Model Context Protocol adds. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** An error that a request gets instead of a result. */
export class RpcError extends Error {
  readonly code: number;
  /** The HTTP status. It is 200 where only JSON-RPC has something to say. */
  readonly status: number;
  readonly data: object | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: number,
    message: string,
    {
      status = 200,
      data,
      headers = {},
    }: Readonly<{
      status?: number;
      data?: object;
      headers?: Readonly<Record<string, string>>;
    }> = {},
  ) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.status = status;
    this.data = data;
    this.headers = headers;
  }

  /** The error's part of a JSON-RPC response. */
  toBody(): object {
    return {
      code: this.code,
      message: this.message,
      ...(this.data !== undefined && { data: this.data }),
    };
  }
}

export const invalidParams = (message: string): RpcError =>
  new RpcError(rpcCodes.invalidParams, message);
