const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
/** Codes that have a name and are no country of ISO 3166. */
const otherCodes = new Set(
  "AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH NT QO RH SU TA TP UK UN VD XA XB XK YD YU ZR ZZ".split(
    " ",
  ),
);

const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");

let list: readonly Readonly<{ value: string; name: string }>[] | undefined;

/** The countries by name. The list is made once, and not while the Worker starts. */
export function listCountries(): readonly Readonly<{ value: string; name: string }>[] {
  list ??= letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((value) => {
      const name = otherCodes.has(value) ? undefined : names.of(value);
      return name ? [{ value, name }] : [];
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return list;
}
