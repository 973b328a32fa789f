import { type StoreFeature, useStoreFeatures } from "../store/feature";

/** What happens for a feature although no node of it runs. `features.ts` lists them. */
export interface Feature extends StoreFeature {}

let features: readonly Feature[] = [];

/** Adds features to this process, before its first account starts. */
export function useFeatures(list: readonly Feature[]): void {
  features = list;
  useStoreFeatures(list);
}

export const getFeatures = (): readonly Feature[] => features;
