import { z } from "zod";
import { CSV_FORMS } from "../../shared/csv";
import { isZone } from "../../shared/schedule/zoned-time";

/** Characters of the longest title, key and word that the sidebar sends. */
const LONGEST_WORD = 200;
/** More than all words of a table. */
const MOST_WORDS = 200;

const word = z.string().max(LONGEST_WORD);

/** What a table of so many columns is saved with. */
export const csvBody = (columns: number) =>
  z.strictObject({
    form: z.enum(CSV_FORMS),
    language: z.string().max(LONGEST_WORD),
    zone: word.refine(isZone),
    header: z.array(word).length(columns),
    words: z.record(word, word).refine((words) => Object.keys(words).length <= MOST_WORDS),
  });
