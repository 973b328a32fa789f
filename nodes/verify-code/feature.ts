import type { Feature } from "../../lib/runtime/feature";
import { changeInSlices } from "../../lib/store/engine/query";
import { CODES_OF_NUMBER, deleteCodes } from "./store/codes";
import { CODE_TABLES } from "./store/code-tables";

export const VERIFY_CODE: Feature = {
  tables: CODE_TABLES,
  deleteOld: ({ now, max }) => deleteCodes(now, max),
  deleteNumber: async (engine, number) => {
    await changeInSlices(engine, CODES_OF_NUMBER, [number]);
    return 0;
  },
};
