import type { Feature } from "../../lib/runtime/feature";
import { spellingsOf } from "../../lib/shared/recipients/person";
import { DIGEST_TABLES } from "./store/digest-tables";
import { ADD_TO_DIGESTS, countGathered } from "./store/digests";
import { forgetDigests, forgetNaming } from "./store/forget-digests";

export const MESSAGE_DIGEST: Feature = {
  tables: DIGEST_TABLES,
  accepting: [ADD_TO_DIGESTS],
  deleteOld: ({ now, openFor, max }) => forgetDigests(now, openFor, max),
  deleteNumber: async (engine, number) => {
    let deleted = 0;
    for (const spelling of spellingsOf(number)) {
      deleted += await forgetNaming(engine, spelling);
    }
    return deleted;
  },
  countWaiting: countGathered,
};
