import assert from "node:assert/strict";
import { findSchemaFault, LONGEST_SCHEMA } from "../../../../lib/shared/storage/store-schema";
import { findStoreUrlFault } from "../../../../lib/shared/storage/store-url";

describe("a typed URL of a database", () => {
  for (const url of [
    "postgresql://user:password@host:5432/database",
    "POSTGRESQL://user@host/database",
    " postgresql://user:password@[::1]:5432/database?sslmode=verify-full ",
    "postgresql://user:a%2Fb%40c%23d%3Fe%25@host/data%20base",
    "postgres://user:password@host/database?sslmode=disable",
    "postgres://user:password@host/database?",
  ]) {
    it(`accepts ${url}`, () => assert.equal(findStoreUrlFault(url), null));
  }

  for (const [url, fault] of [
    ["", "blank"],
    ["postgresql://user:${PASSWORD}@host/database", "part-variable"],
    ["postgresql://$(USER):password@host/database", "part-variable"],
    ["mysql://user:password@host/database", "scheme"],
    ["https://host/database", "scheme"],
    ["postgresql://host:port/database", "not-a-url"],
    ["postgresql://one:5432,other:5432/database", "not-a-url"],
    ["postgresql://user:pass/word@host/database", "escape"],
    ["postgresql://user:100%@host/database", "escape"],
    ["postgresql://user@host/database#part", "escape"],
    ["postgresql:///database", "no-host"],
    ["postgresql:///database?host=/var/run/postgresql", "no-host"],
    ["postgresql://host/database", "no-user"],
    ["postgresql://user@host/database?sslmode=prefer", "parameter"],
    ["postgresql://user@host/database?sslmode=require&sslmode=disable", "parameter"],
    ["postgresql://user@host/database?connect_timeout=5", "parameter"],
    ["postgresql://user:password@host", "no-database"],
    ["postgresql://user@host/database/schema", "no-database"],
  ] as const) {
    it(`refuses ${url}: ${fault}`, () => assert.equal(findStoreUrlFault(url), fault));
  }
});

describe("a typed name of a schema", () => {
  for (const [name, fault] of [
    ["", null],
    ["messaging", null],
    ["x".repeat(LONGEST_SCHEMA), null],
    ["x".repeat(LONGEST_SCHEMA + 1), "too-long"],
    ["my-schema", "characters"],
    ['a"; DROP SCHEMA public; --', "characters"],
    ["pg_messaging", "reserved"],
    ["information_schema", "reserved"],
  ] as const) {
    it(`${fault === null ? "may be" : `is refused as ${fault}:`} '${name}'`, () =>
      assert.equal(findSchemaFault(name), fault));
  }
});
