import * as features from "./features";
import { useFeatures } from "./lib/runtime/feature";

// Everything that may open a store loads this first: the tables of features belong to its schema.
useFeatures(Object.values(features));
