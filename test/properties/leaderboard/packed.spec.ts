import { standsAsTheModel } from './sequences';

standsAsTheModel('packed');
