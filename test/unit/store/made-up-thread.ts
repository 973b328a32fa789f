import "./made-up-steps";
import { serveSqlite } from "../../../lib/store/engine/sqlite/serve-sqlite";
import { loadSqlite } from "../../../lib/store/engine/sqlite/sqlite-driver";

serveSqlite(loadSqlite());
