/** Black or white, whichever is easier to read on a colour such as `#0f766e`. */
export const textOn = (color: string): "#000000" | "#ffffff" => {
  const background = luminanceOf(color);
  return 1.05 / (background + 0.05) >= (background + 0.05) / 0.05 ? "#ffffff" : "#000000";
};

/** The relative luminance of WCAG 2. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
