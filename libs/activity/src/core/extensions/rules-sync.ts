/** Brings this process to the rules that are in force for all, where they may change while the app runs. */
export interface RulesSync {
  /** Takes the rules that are in force from a Redis that has just been reached. */
  sync(): Promise<void>;
}
