import type { ChannelDefinition } from "./channels/channel-definition";
import { type StoreFeature, useStoreFeatures } from "../store/feature";

/** What happens for a feature although no node of it runs. `features.ts` lists them. */
export interface Feature extends StoreFeature {
  /** What *Send a test* of a node type sends by. */
  readonly channel?: { readonly type: string; readonly definition: ChannelDefinition };
}

let features: readonly Feature[] = [];

/** Adds features to this process, before its first account starts. */
export function useFeatures(list: readonly Feature[]): void {
  features = list;
  useStoreFeatures(list);
}

export const getFeatures = (): readonly Feature[] => features;
