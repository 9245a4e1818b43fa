import { parseDictionary } from "structured-headers";
import { ProtocolError } from "./protocol-error.ts";

/**
 * The URL of the platform's profile in the header UCP-Agent; null without the header.
 *
 * @throws ProtocolError invalid_profile_url for a header that names none.
 */
export function readProfileUrl(header: string | undefined): string | null {
  if (header === undefined) return null;
  const url = readMember(header);
  if (typeof url === "string") return url;
  throw new ProtocolError(
    "invalid_profile_url",
    'UCP-Agent must be a dictionary with your profile, such as profile="https://agent.example/profile.json".',
  );
}

function readMember(header: string): unknown {
  try {
    return parseDictionary(header).get("profile")?.[0];
  } catch {
    return undefined;
  }
}
