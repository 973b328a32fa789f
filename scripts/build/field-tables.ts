import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { FieldSpec } from "../../lib/shared/fields/field-spec";
import { LOG_FIELDS } from "../../lib/shared/fields/log-fields";
import { OPT_OUT_FIELDS } from "../../lib/shared/fields/opt-out-fields";
import { RULE_FIELDS } from "../../lib/shared/fields/rule-fields";
import { SMS_FIELDS } from "../../lib/shared/fields/sms-fields";
import { WAIT_FIELDS } from "../../lib/shared/fields/wait-fields";
import { WHATSAPP_FIELDS } from "../../lib/shared/fields/whatsapp-fields";

type Table = readonly FieldSpec[];

const load = createRequire(__filename);
const NODES = join(__dirname, "..", "..", "nodes");

/** Finds the table in `nodes/<folder>/shared/*-fields.ts`. */
function findTable(folder: string): readonly [string, Table][] {
  const shared = join(NODES, folder, "shared");
  const files = existsSync(shared) ? readdirSync(shared).filter((name) => name.endsWith("-fields.ts")) : [];
  return files.flatMap((file) =>
    Object.entries(load(join(shared, file)) as Record<string, Table>)
      .filter(([name]) => name.endsWith("_FIELDS"))
      .map(([, table]): [string, Table] => [folder, table]),
  );
}

/** The table of fields of each node type that has one; key is the name of its folder. */
export const FIELD_TABLES: Readonly<Record<string, Table>> = {
  "sms-send": SMS_FIELDS,
  "whatsapp-send": WHATSAPP_FIELDS,
  "message-log": LOG_FIELDS,
  "opt-out": OPT_OUT_FIELDS,
  "message-wait": WAIT_FIELDS,
  ...Object.fromEntries(readdirSync(NODES).flatMap(findTable)),
};

/** Tables that several node types have. Their texts are in the catalogue of the account, under `editor` and the key here. */
export const SHARED_TABLES: Readonly<Record<string, Table>> = {
  rules: RULE_FIELDS,
};
