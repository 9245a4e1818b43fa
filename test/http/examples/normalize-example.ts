/** When each recorded call appears to have happened. */
const calledAt = Date.parse("2029-12-20T12:30:00Z");

const maxListLength = 2;
const maxCsvLines = 4;

/**
 * Returns the function that removes from a call what differs between two recordings, and what
 * nobody may use: ids are numbered in the order of their appearance, times follow from one time of
 * the call, keys and tokens are plain words, and lists are short.
 */
export function createNormalizer(now: number): (value: unknown) => unknown {
  const numbers = new Map<string, string>();

  /** The text of the id, or the one that an earlier appearance of the same id got. */
  function numberedId(id: string, kind: string, textOf: (number: number) => string): string {
    const known = numbers.get(id);
    if (known !== undefined) return known;
    const isSameKind = (other: string) => other.startsWith(`${kind}_`);
    const text = textOf([...numbers.keys()].filter(isSameKind).length + 1);
    numbers.set(id, text);
    return text;
  }

  const normalizeText = (text: string): string =>
    secrets
      .reduce((safe, [pattern, replacement]) => safe.replaceAll(pattern, replacement), text)
      .replaceAll(typeId, (id, kind: string) =>
        numberedId(id, kind, (number) => `${kind}_01k${String(number).padStart(23, "0")}`),
      )
      .replaceAll(uuid, (id) =>
        numberedId(`uuid_${id}`, "uuid", (number) => {
          return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
        }),
      )
      .replaceAll(instant, (time) => normalizeTime(time, now));

  return function normalize(value: unknown): unknown {
    if (typeof value === "string") return normalizeText(withoutLaterLines(value));
    if (Array.isArray(value)) return value.slice(0, lengthOf(value)).map(normalize);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        name,
        passkeyText(name, value) ?? (hasSizeOfDatabase(name) ? roundSize(field) : normalize(field)),
      ]),
    );
  };
}

const passkeyFields: readonly string[] = [
  "attestationObject",
  "authenticatorData",
  "challenge",
  "clientDataJSON",
  "rawId",
  "signature",
  "userHandle",
];

/** What stands for a value of WebAuthn, which is made of random bytes; null for other fields. */
function passkeyText(name: string, record: object): string | null {
  if (passkeyFields.includes(name)) return `example-${name}`;
  const isCredential = "type" in record && record.type === "public-key";
  const isUser = "displayName" in record;
  return name === "id" && (isCredential || isUser) ? "example-id" : null;
}

const typeId = /\b([a-z]+)_[0-9a-hjkmnp-tv-z]{26}\b/g;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const instant = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** What looks like a key, a token or a contact of one recording, and what stands for it. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/\b((?:pk|sk|dk)_(?:test|live))_\w+/g, "$1_example"],
  [/\b(lnk_)?eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "$1example-token"],
  [/\b(rfr|bt|ref)_(?:[0-9a-z]{26})?[0-9a-f]{40}\b/g, "$1_example"],
  [/\bwhsec_[\w+/]+=*/g, "whsec_example"],
  [/\/pay\/[\w-]+/g, "/pay/example"],
  [/\b[0-9a-f]{40}\b/g, "example-ticket"],
  [/^[\w+/]{40,}={0,2}$/g, "example-cursor"],
  [new RegExp(`${uuid.source}@`, "g"), "ama@"],
  [/\+23324(?!1000|12345)\d{7}/g, "+233241000002"],
  [/\bdrinks-[0-9a-z]{8}\b/g, "drinks"],
  [/\bTEN[0-9A-Z]{8}\b/g, "TEN"],
  [/\b(kofi|owner|manager)(?:-\d+)?-[0-9a-z]{6,8}@/g, "$1@"],
  [/https:\/\/duka\.test/g, "https://duka.example"],
  [/wss:\/\/duka\.test/g, "wss://duka.example"],
];

/** The records of a recording are created at a full minute. All other times follow from the call's. */
function normalizeTime(text: string, now: number): string {
  const time = Date.parse(text);
  if (time % 60_000 === 0) return text;
  const sinceCall = Math.floor(time / 1_000) - Math.floor(now / 1_000);
  return new Date(calledAt + sinceCall * 1_000).toISOString();
}

/** A database grows with each migration, and its rows with what the requests before have written. */
const hasSizeOfDatabase = (name: string): boolean => ["bytes", "size_bytes", "rows"].includes(name);
const roundSize = (size: unknown): unknown => {
  if (typeof size !== "number") return size;
  return size > 1_000_000 ? 1_048_576 : size > 10 ? 1_000 : size;
};

/** A list of texts is one value, such as a key's scopes. */
const lengthOf = (list: readonly unknown[]): number =>
  list.some((item) => typeof item === "object") ? maxListLength : list.length;

/** A CSV without the lines that say nothing new. */
const withoutLaterLines = (text: string): string =>
  text.includes("\r\n")
    ? `${text.split("\r\n").filter(Boolean).slice(0, maxCsvLines).join("\r\n")}\r\n`
    : text;
