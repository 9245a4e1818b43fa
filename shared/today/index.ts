export { loadToday, type Today } from "./load-today.ts";
