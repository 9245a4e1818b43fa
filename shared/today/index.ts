export { loadToday, type Today, type TodayAccess } from "./load-today.ts";
