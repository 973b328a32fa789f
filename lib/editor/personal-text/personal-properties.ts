import { TEXT_DEFAULTS } from "../../shared/fields/text-settings";
import { currentValue } from "../dialog/dialog";
import type { EditedNode, PropertyDefinition } from "../dialog/node-definition";

export const PERSONAL_PROPERTIES: Record<keyof typeof TEXT_DEFAULTS, PropertyDefinition> = {
  braces: { value: TEXT_DEFAULTS.braces },
  rowNumber: { value: TEXT_DEFAULTS.rowNumber },
  rowName: { value: TEXT_DEFAULTS.rowName },
};

export const fillsBraces = (node: EditedNode): boolean => currentValue(node, "braces") === "fill";
