-- The terms of product_search in their order. The table stores nothing: FTS5 reads the index itself. A search
-- replaces the prefix that its last word stands for by the terms that begin with it.

CREATE VIRTUAL TABLE `product_search_terms` USING fts5vocab(`product_search`, 'instance');
