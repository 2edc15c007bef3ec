import { readEnvironment } from './environment/environment';
import { runCommunity, startCommunity } from './start-community';

runCommunity((variables, logger) => startCommunity(readEnvironment(variables), logger));
