/** The colours of a shop: the accent, what is readable on it, and links in it on either ground. */
export type AccentColors = Readonly<{
  accent: string;
  onAccent: "#000000" | "#ffffff";
  /** The accent as a text on light and on dark ground. */
  onLight: string;
  onDark: string;
}>;

type Rgb = readonly [number, number, number];

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];
/** The darkest ground of the light pages, and the lightest of the dark ones: style/tokens.ts. */
const lightGround: Rgb = [0xf1, 0xf0, 0xec];
const darkGround: Rgb = [0x2b, 0x2d, 0x2c];
/** What WCAG 2 asks of texts. */
const minContrast = 4.5;
const steps = 40;

/** Readable colours for any accent such as `#0f766e`. */
export function accentColors(accent: string): AccentColors {
  const color = parse(accent);
  return {
    accent,
    onAccent: contrastOf(color, white) >= contrastOf(color, black) ? "#ffffff" : "#000000",
    onLight: readable(color, { ground: lightGround, towards: black }),
    onDark: readable(color, { ground: darkGround, towards: white }),
  };
}

/** The colour, mixed with as little black or white as makes it readable on the ground. */
function readable(color: Rgb, { ground, towards }: Readonly<{ ground: Rgb; towards: Rgb }>) {
  for (let step = 0; step < steps; step++) {
    const mixed = mix(color, towards, step / steps);
    if (contrastOf(mixed, ground) >= minContrast) return format(mixed);
  }
  return format(towards);
}

const mix = (one: Rgb, other: Rgb, share: number): Rgb => {
  const part = (index: 0 | 1 | 2) => Math.round(one[index] + (other[index] - one[index]) * share);
  return [part(0), part(1), part(2)];
};

/** The contrast of WCAG 2, from 1 to 21. */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted(
    (a, b) => a - b,
  );
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function parse(color: string): Rgb {
  const number = Number.parseInt(color.slice(1), 16);
  return [number >> 16, (number >> 8) & 0xff, number & 0xff];
}

const format = (color: Rgb): string =>
  `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
