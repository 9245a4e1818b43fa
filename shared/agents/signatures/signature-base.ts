import {
  type InnerList,
  parseDictionary,
  serializeInnerList,
  serializeItem,
} from "structured-headers";
import { derivedComponent, type SignedMessage } from "./message.ts";

/**
 * The text that is signed (RFC 9421, section 2.5). Null when a covered component is not part of the
 * message, is listed twice or has parameters that are not known.
 */
export function signatureBase(message: SignedMessage, covered: InnerList): string | null {
  const lines = new Map<string, string>();
  for (const [name, parameters] of covered[0]) {
    if (typeof name !== "string" || name !== name.toLowerCase()) return null;
    const value = componentValue(message, name, parameters);
    const identifier = serializeItem([name, parameters]);
    if (value === null || lines.has(identifier)) return null;
    lines.set(identifier, value);
  }
  lines.set('"@signature-params"', serializeInnerList(covered));
  return [...lines].map(([identifier, value]) => `${identifier}: ${value}`).join("\n");
}

type Parameters = InnerList[1];

function componentValue(
  message: SignedMessage,
  name: string,
  parameters: Parameters,
): string | null {
  if (name.startsWith("@")) return parameters.size === 0 ? derivedComponent(message, name) : null;
  const field = message.headers.get(name);
  if (field === null) return null;
  if (parameters.size === 0) return field.trim().replace(/\s*[\r\n]+\s*/g, " ");
  const key = parameters.get("key");
  return parameters.size === 1 && typeof key === "string" ? memberOf(field, key) : null;
}

/** The member of a dictionary field, as a signature covers it. Null when there is none. */
function memberOf(field: string, key: string): string | null {
  const member = parseDictionary(field).get(key);
  if (member === undefined) return null;
  // Safe: an inner list is the member whose first part is an array.
  return Array.isArray(member[0])
    ? serializeInnerList(member as InnerList)
    : serializeItem(member as Exclude<typeof member, InnerList>);
}
