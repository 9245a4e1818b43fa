import { TypeID } from "typeid-js";

/** When an id was made: the first 48 bits of a UUIDv7, in milliseconds. */
export function timeOf(id: string): number {
  const bytes = new DataView(TypeID.fromString(id).toUUIDBytes().buffer);
  return bytes.getUint32(0) * 0x10000 + bytes.getUint16(4);
}
