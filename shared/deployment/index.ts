export { countBusinessesByShard, countDueRows, readDatabaseFigures } from "./figures-query.ts";
