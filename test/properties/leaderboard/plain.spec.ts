import { standsAsTheModel } from './sequences';

standsAsTheModel('plain');
