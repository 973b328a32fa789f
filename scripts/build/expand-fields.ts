import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type FieldSpec, isListType, sourceProperty } from "../../lib/shared/fields/field-spec";
import { FIELD_TABLES, SHARED_TABLES } from "./field-tables";

const FIELDS = /^([ \t]*)<!-- @fields (\S+) (\S+) -->$/gm;
const DEFAULT_PLACE = "options";

/** Where texts are that several types of nodes have. */
const SHARED_TEXTS = "@messaging-service/node-red-messaging/messaging-account:editor";

type Texts = Readonly<Record<string, string>>;

const tableOf = (name: string): readonly FieldSpec[] | undefined => FIELD_TABLES[name] ?? SHARED_TABLES[name];

/** What the keys of the texts of a table begin with. */
const textsOf = (table: string): string =>
  SHARED_TABLES[table] === undefined ? table : `${SHARED_TEXTS}.${table}`;

/** Conditions of a row as the dialog reads them: `kind=upload|attachment from=file`; empty for a row that is always shown. */
function conditionsOf({ messageKinds, when = {} }: FieldSpec): string {
  const kind = messageKinds === undefined ? [] : [["kind", messageKinds.join("|")]];
  return [...kind, ...Object.entries(when)].map(([name, value]) => `${name}=${value}`).join(" ");
}

/** The row of one field, without indentation. `hints` are those of the table by the names of their fields. */
function rowOf(table: string, spec: FieldSpec, hints: Texts): string {
  const { name, icon, type } = spec;
  if (icon === undefined) {
    throw new Error(`the field ${name} of ${table} has no icon`);
  }
  const texts = textsOf(table);
  const conditions = conditionsOf(spec);
  const input = `node-input-${name}${isListType(type) ? "-from" : ""}`;
  return [
    `<div class="form-row"${conditions === "" ? "" : ` data-when="${conditions}"`}>`,
    `  <label for="${input}"><i class="fa fa-${icon}"></i> <span data-i18n="${texts}.field.${name}"></span></label>`,
    `  <input type="text" id="${input}">`,
    `  <input type="hidden" id="node-input-${sourceProperty(name)}">`,
    ...(isListType(type) ? [`  <ol id="node-input-${name}-list"></ol>`] : []),
    ...(Object.hasOwn(hints, name)
      ? [`  <div class="messaging-hint" data-i18n="${texts}.hint.${name}"></div>`]
      : []),
    "</div>",
  ].join("\n");
}

interface Catalogue {
  readonly [key: string]: { readonly hint?: Texts } | undefined;
}

async function hintsOf(root: string, table: string): Promise<Texts> {
  const isShared = SHARED_TABLES[table] !== undefined;
  const [folder, stem] = isShared ? ["config", "messaging-account"] : [table, table];
  const path = join(root, "nodes", folder, "locales", "en-US", `${stem}.json`);
  const catalogue = JSON.parse(await readFile(path, "utf8"));
  const texts: Catalogue = isShared ? catalogue.editor : catalogue;
  return texts[table]?.hint ?? {};
}

/** Throws unless the form has one row for each field of the table. */
function checkRows(type: string, table: readonly FieldSpec[], html: string): void {
  for (const { name } of table) {
    const rows = html.split(`id="node-input-${sourceProperty(name)}"`).length - 1;
    if (rows !== 1) {
      throw new Error(`the form of ${type} has ${rows} rows for the field ${name}; one is needed`);
    }
  }
}

/**
 * Replaces each line `<!-- @fields <table> <place> -->` by the rows of the fields that belong there, indented like
 * the line. A table has the name of its node type, or is a shared one. Labels are `<table>.field.<name>`; a field with a text
 * `<table>.hint.<name>` gets that hint.
 * @throws Error for a table or place that does not exist, a directive that is written another way, and a field that
 * has no row or more than one
 */
export async function expandFields(root: string, html: string): Promise<string> {
  const types = [...new Set([...html.matchAll(FIELDS)].map(([, , type]) => type ?? ""))];
  const hints = new Map<string, Texts>();
  for (const type of types) {
    if (tableOf(type) === undefined) {
      throw new Error(`@fields ${type}: no such table of fields`);
    }
    hints.set(type, await hintsOf(root, type));
  }
  const expanded = html.replace(FIELDS, (_line, indent: string, type: string, place: string) => {
    const specs = (tableOf(type) ?? []).filter((spec) => (spec.place ?? DEFAULT_PLACE) === place);
    if (specs.length === 0) {
      throw new Error(`@fields ${type} ${place}: no field belongs there`);
    }
    return specs.map((spec) => rowOf(type, spec, hints.get(type) ?? {}).replace(/^/gm, indent)).join("\n");
  });
  const malformed = /^.*@fields.*$/m.exec(expanded)?.[0];
  if (malformed !== undefined) {
    throw new Error(`not of the form <!-- @fields type place -->: ${malformed.trim()}`);
  }
  for (const type of types) {
    checkRows(type, tableOf(type) ?? [], expanded);
  }
  return expanded;
}
