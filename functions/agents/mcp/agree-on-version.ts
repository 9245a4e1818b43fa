import {
  isSupported,
  newestHandshakeVersion,
  type ProtocolVersion,
  statelessVersion,
  supportedVersions,
  versionWithoutHeader,
} from "./protocol-versions.ts";
import { RpcError, rpcCodes } from "./rpc-error.ts";
import { isRecord, type RpcRequest } from "./rpc-message.ts";

const versionField = "io.modelcontextprotocol/protocolVersion";
const capabilitiesField = "io.modelcontextprotocol/clientCapabilities";

/**
 * The revision by which a request is handled. A request that names its version in `_meta` needs no
 * handshake; any other one follows the revision of the header.
 *
 * @throws RpcError when the version is unknown, or the headers do not say what the body says.
 */
export function agreeOnVersion(request: RpcRequest, headers: Headers): ProtocolVersion {
  const meta = isRecord(request.params._meta) ? request.params._meta : {};
  const named = meta[versionField];
  const inHeader = headers.get("MCP-Protocol-Version");
  if (named === undefined && inHeader !== statelessVersion)
    return request.method === "initialize" ? newestHandshakeVersion : versionOfHeader(inHeader);
  if (typeof named !== "string")
    throw new RpcError(rpcCodes.invalidParams, `params._meta needs ${versionField}.`, {
      status: 400,
    });
  assertSame("MCP-Protocol-Version", inHeader, named);
  const version = assertSupported(named);
  if (version === statelessVersion) assertSelfDescribing(request, meta, headers);
  return version;
}

/** The revision that the header of a request or of a batch names. @throws RpcError */
export const versionOfHeader = (inHeader: string | null): ProtocolVersion =>
  inHeader === null ? versionWithoutHeader : assertSupported(inHeader);

function assertSupported(version: string): ProtocolVersion {
  if (isSupported(version)) return version;
  throw new RpcError(rpcCodes.unsupportedVersion, "The protocol version is not supported.", {
    status: 400,
    data: { supported: supportedVersions, requested: version },
  });
}

/** Checks what the revision without a handshake requires of each request. */
function assertSelfDescribing(
  { method, params }: RpcRequest,
  meta: Readonly<Record<string, unknown>>,
  headers: Headers,
): void {
  if (!isRecord(meta[capabilitiesField]))
    throw new RpcError(rpcCodes.invalidParams, `params._meta needs ${capabilitiesField}.`, {
      status: 400,
    });
  assertSame("Mcp-Method", headers.get("Mcp-Method"), method);
  if (method !== "tools/call" || typeof params.name !== "string") return;
  const name = headers.get("Mcp-Name");
  assertSame("Mcp-Name", name === null ? null : decodeHeader(name), params.name);
}

function assertSame(header: string, sent: string | null, expected: string): void {
  if (sent === expected) return;
  const problem = sent === null ? "is missing" : "does not say what the body says";
  throw new RpcError(rpcCodes.headerMismatch, `The header ${header} ${problem}.`, { status: 400 });
}

/** A header's text that may be in base 64, as `=?base64?…?=`. Null when that is malformed. */
function decodeHeader(text: string): string | null {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(text)?.[1];
  if (encoded === undefined) return text;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
