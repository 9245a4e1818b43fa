import type { Option } from "./field.tsx";

const names = new Intl.DisplayNames(undefined, { type: "region", fallback: "none" });
/** Codes that have a name and are no country of ISO 3166. */
const otherCodes = new Set(
  "AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH NT QO RH SU TA TP UK UN VD XA XB XK YD YU ZR ZZ".split(
    " ",
  ),
);

const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");

/** The countries by name, in the language of the browser. */
export const countries: readonly Option[] = letters
  .flatMap((first) => letters.map((second) => first + second))
  .flatMap((value) => {
    const name = otherCodes.has(value) ? undefined : names.of(value);
    return name ? [{ value, name }] : [];
  })
  .sort((a, b) => a.name.localeCompare(b.name));

export const countryName = (code: string): string => names.of(code) ?? code;
