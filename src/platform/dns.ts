import { Resolver } from 'node:dns/promises'
import { config } from './config.ts'
import { log } from './log.ts'

/** What DNS says under a name: texts, nothing of that kind, or that it could not be asked. Nobody takes the last for the second. */
export type TextsAt = { kind: 'found'; texts: string[] } | { kind: 'none' } | { kind: 'unknown' }

const oneTryMs = 2_500
const tries = 2

let played: (() => Promise<string[]>) | undefined

/** Says which name servers answer on one's own computer; set at start. */
export const setPlayedDns = (servers: () => Promise<string[]>): void => {
  played = servers
}

/** The name servers of the environment, else on one's own computer those that are played, else those of the machine. */
const serversNow = async (): Promise<readonly string[] | undefined> =>
  config.dnsServers ?? (config.production ? undefined : await played?.())

/** Asks for the texts (TXT) under a name; strings of one record are put together, as those who check mail do. */
export type AskTexts = (name: string) => Promise<TextsAt>

/** A resolver of its own for one look: nothing that an earlier look heard is said again. */
export const openDns = async (): Promise<AskTexts> => {
  const servers = await serversNow()
  const resolver = new Resolver({ timeout: oneTryMs, tries })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    try {
      const found = await resolver.resolveTxt(name)
      return found.length === 0 ? { kind: 'none' } : { kind: 'found', texts: found.map((parts) => parts.join('')) }
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code === 'ENOTFOUND' || code === 'ENODATA') return { kind: 'none' }
      log.info({ code }, 'a name server could not be asked')
      return { kind: 'unknown' }
    }
  }
}
