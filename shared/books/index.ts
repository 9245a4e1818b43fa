export type { BooksFinding } from "./books-check-query.ts";
export {
  type BooksContext,
  type BooksCursor,
  type BooksReport,
  type BooksScope,
  checkBooks,
} from "./check-books.ts";
export {
  type BooksPosition,
  checkNames,
  checkPage,
  firstPosition,
  isPosition,
} from "./check-page-query.ts";
