export class Erasure {
  constructor(...args: any[]) {}
}
