export { addProductImage } from "./add-product-image.ts";
export { type ImageFile, maxImageBytes, requireImage } from "./image-file.ts";
