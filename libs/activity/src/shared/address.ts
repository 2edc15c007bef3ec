import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';

/** The first half of an address of IPv6 names its network: one customer has all of it. */
const networkBytes = 8;

/** The sender of a request, for bounds per sender: its address, or for IPv6 its network. */
export function addressOf({ ip = '' }: { readonly ip?: string }): string {
  if (isIPv4(ip) || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, networkBytes).join(':');
}
