import {
  type ActivityQuestion,
  activityPath,
  type EntryDetails,
  type FoundEntries,
} from "../../shared/activity";
import { READ_HISTORY } from "../../shared/history/history";
import { post } from "./request";

/** With complete numbers for users who may see them. */
const pathOf = (question: ActivityQuestion): string =>
  activityPath(question, RED.user.hasPermission(READ_HISTORY));

/** What an entry unfolds to. */
export const readDetails = (epoch: string, id: number): Promise<EntryDetails> =>
  post(pathOf("entry"), { epoch, id });

/** The entries about a number in any spelling. */
export const findNumber = (text: string): Promise<FoundEntries> => post(pathOf("find"), { text });
