import { TypeID } from "typeid-js";

/** When a session id was created, in epoch milliseconds: the first 48 bits of its UUIDv7. */
export function idCreatedAt(id: string): number {
  const bytes = new DataView(TypeID.fromString(id).toUUIDBytes().buffer);
  return bytes.getUint32(0) * 0x10000 + bytes.getUint16(4);
}

/**
 * The owner of the files that a session uploads. The owner changes when another customer logs in.
 */
export const uploadOwnerOf = ({ id, ownedSince }: { id: string; ownedSince: number }): string =>
  ownedSince === 0 ? id : `${id}.${ownedSince}`;
