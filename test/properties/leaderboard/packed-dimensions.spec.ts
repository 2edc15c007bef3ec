import { standsAsTheModel } from './sequences';

standsAsTheModel('packed dimensions');
