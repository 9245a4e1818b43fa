export { countDueRows, readDatabaseFigures } from "./figures-query.ts";
