import { serveSqlite } from "./serve-sqlite";
import { loadSqlite } from "./sqlite-driver";

serveSqlite(loadSqlite());
