import { isIPv6 } from 'node:net'

/**
 * Whose an address is, for counting: of IPv6 the first 64 bits, because a household has all that follow to itself; of IPv4, also where it is written
 * as IPv6, the whole address.
 */
export const networkOf = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!isIPv6(address)) return address
  // The browser's own reading of an address writes it in one way, whatever its zeros and letters; it knows no zone and no digits with dots.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const [before, after] = [head, tail ?? ''].map((part) => (part ? part.split(':') : []))
  const groups =
    tail === undefined ? before! : [...before!, ...Array(8 - before!.length - after!.length).fill('0'), ...after!]
  return `${groups.slice(0, 4).join(':')}::/64`
}
