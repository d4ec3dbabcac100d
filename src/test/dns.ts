import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type NameServer, type Records, startNameServer } from '../local/dns/server.ts'
import { config } from '../platform/config.ts'

/** A name server of the test's own on loopback, which every look asks: what is set on it is what DNS says. */
export const aNameServer = () => {
  const zone = new Map<string, Records>()
  let server: NameServer
  let isAway = false
  const before = config.dnsServers
  beforeAll(async () => {
    server = await startNameServer(async (name) => (isAway ? 'trouble' : (zone.get(name) ?? [])))
    config.dnsServers = [server.address]
  })
  beforeEach(() => {
    zone.clear()
    isAway = false
  })
  afterAll(async () => {
    config.dnsServers = before
    await server.close()
  })
  return {
    set: (name: string, ...texts: string[]) =>
      void zone.set(
        name,
        texts.map((value) => ({ type: 'TXT', value }) as const),
      ),
    alias: (name: string, to: string) => void zone.set(name, [{ type: 'CNAME', value: to }]),
    remove: (name: string) => void zone.delete(name),
    away: (now: boolean) => {
      isAway = now
    },
    address: () => server.address,
  }
}
