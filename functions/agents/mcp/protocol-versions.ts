/** The revision without a handshake: each request names its version and its capabilities. */
export const statelessVersion = "2026-07-28";

/** The revisions that begin with `initialize`, the newest first. */
const handshakeVersions = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;

export const newestHandshakeVersion = handshakeVersions[0];

/** What a request without the version header is taken for, as the revisions say. */
export const versionWithoutHeader = "2025-03-26";

export const supportedVersions = [statelessVersion, ...handshakeVersions] as const;
export type ProtocolVersion = (typeof supportedVersions)[number];

export const isSupported = (version: unknown): version is ProtocolVersion =>
  supportedVersions.some((supported) => supported === version);

/** Whether `initialize` may agree on the version. */
export const isHandshakeVersion = (version: unknown): version is ProtocolVersion =>
  handshakeVersions.some((supported) => supported === version);

/** Later revisions have no batches. */
export const allowsBatches = (version: ProtocolVersion): boolean => version === "2025-03-26";
