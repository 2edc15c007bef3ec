import { runCommunity } from '../../community/src/start-community';
import { startAlone } from './start-alone';

runCommunity(startAlone);
