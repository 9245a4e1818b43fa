/** What a tool does to the data of the service, for clients that ask before they call it. */
type ToolAnnotations = Readonly<{
  title: string;
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}>;

export type McpTool = Readonly<{
  name: string;
  title: string;
  description: string;
  inputSchema: object;
  outputSchema?: object;
  annotations: ToolAnnotations;
}>;

export type ToolPage = Readonly<{ tools: readonly McpTool[]; nextCursor?: string }>;

/** The arguments of a call, which no schema has checked yet. */
export type ToolArguments = Readonly<Record<string, unknown>>;

export type ToolResult = Readonly<{
  structuredContent: object;
  content: readonly Readonly<{ type: "text"; text: string }>[];
  isError?: true;
}>;

/** Tools behind one address, and how the server describes itself. */
export type McpServer = Readonly<{
  info: Readonly<{ name: string; title: string; version: string }>;
  /** What a model should know before it uses the tools. */
  instructions: string;
  /** Who may keep the list of tools, and for how long. */
  listCaching: Readonly<{ ttlMs: number; cacheScope: "public" | "private" }>;
  /** @throws RpcError for a cursor that no page gave. */
  listTools: (cursor: string | null) => Promise<ToolPage>;
  /** Runs a tool; null when there is none of the name. */
  callTool: (name: string, input: ToolArguments) => Promise<ToolResult | null>;
  /** The error that a caller gets for what a tool threw. */
  toRpcError: (error: unknown) => RpcFailure;
}>;

/** An error of JSON-RPC with its HTTP status. */
export type RpcFailure = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  toBody: () => object;
}>;

/** A result with its JSON as text too, for clients that do not read structured content. */
export const toolResult = (structuredContent: object): ToolResult => ({
  structuredContent,
  content: [{ type: "text", text: JSON.stringify(structuredContent) }],
});

/** A result that says what was wrong with the call, so that a model can correct it. */
export const toolError = (message: string, details: object = { message }): ToolResult => ({
  structuredContent: details,
  content: [{ type: "text", text: message }],
  isError: true,
});
