import { z } from "zod";
import { CSV_FORMS } from "../../shared/csv";
import { isZone } from "../../shared/schedule/zoned-time";

const LONGEST_WORD = 200;
const MOST_WORDS = 200;

const word = z.string().max(LONGEST_WORD);

export const csvBody = (columns: number) =>
  z.strictObject({
    form: z.enum(CSV_FORMS),
    language: z.string().max(LONGEST_WORD),
    zone: word.refine(isZone),
    header: z.array(word).length(columns),
    words: z.record(word, word).refine((words) => Object.keys(words).length <= MOST_WORDS),
  });
