export type { BooksFinding } from "./books-check-query.ts";
export {
  type BooksCursor,
  type BooksScope,
  checkBooks,
} from "./check-books.ts";
export {
  checkNames,
  isPosition,
} from "./check-page-query.ts";
