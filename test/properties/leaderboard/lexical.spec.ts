import { standsAsTheModel } from './sequences';

standsAsTheModel('lexical');
