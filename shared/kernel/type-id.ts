/** Crockford's base 32 in lower case, as TypeID uses it. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const valueByCharacter = new Map([...alphabet].map((character, value) => [character, value]));
const suffixLength = 26;
const uuidLength = 16;

/** The TypeID of a UUID: the prefix and 26 characters for 130 bits, of which the first two are 0. */
export function toTypeId(prefix: string, uuid: Uint8Array): string {
  if (uuid.length !== uuidLength) throw new Error("A UUID has 16 bytes.");
  let suffix = "";
  let pending = 0;
  let pendingBits = 2;
  for (const byte of uuid) {
    pending = (pending << 8) | byte;
    pendingBits += 8;
    while (pendingBits >= 5) {
      pendingBits -= 5;
      suffix += alphabet.charAt((pending >> pendingBits) & 31);
    }
    pending &= (1 << pendingBits) - 1;
  }
  return `${prefix}_${suffix}`;
}

/**
 * The UUID of a TypeID.
 *
 * @throws Error when the text is no TypeID.
 */
export function parseTypeId(id: string): Uint8Array<ArrayBuffer> {
  const suffix = id.slice(id.lastIndexOf("_") + 1);
  if (suffix.length !== suffixLength || suffix.charAt(0) > "7") throw new Error("Not a TypeID.");
  const uuid = new Uint8Array(uuidLength);
  let position = 0;
  let pending = 0;
  let pendingBits = -2;
  for (const character of suffix) {
    const value = valueByCharacter.get(character);
    if (value === undefined) throw new Error("Not a TypeID.");
    pending = (pending << 5) | value;
    pendingBits += 5;
    if (pendingBits < 8) continue;
    pendingBits -= 8;
    uuid[position] = pending >> pendingBits;
    position += 1;
    pending &= (1 << pendingBits) - 1;
  }
  return uuid;
}
