/** Where the rules in force come from, where they may change while the app runs. */
export interface RulesSource {
  /** Takes the rules that are in force for all from a Redis that has just been reached. */
  sync(): Promise<void>;
}
