import { type AskTexts, openDns, type TextsAt } from '../../../../platform/dns.ts'
import {
  dmarcName,
  type Finding,
  type Findings,
  isDmarc,
  isSpf,
  keyName,
  mostSpfLookups,
  ownerName,
  readDmarc,
  readKey,
  readOwner,
  readSpf,
} from '../rules.ts'
import { spfInclude } from './queries.ts'

/** What is asked about: the domain with its token, and the keys that sign or are to sign. */
export type LookedAt = {
  domain: string
  proofToken: string
  keys: readonly { selector: string; publicKey: string }[]
}

/** More names than these are not asked for one record. */
const mostAsked = 20

/**
 * Questions that an SPF record costs whoever checks it, those of the records it includes too; it stops counting once there are too many. Null where
 * one of them could not be asked.
 */
const countLookups = async (ask: AskTexts, record: string): Promise<number | null> => {
  const waiting = [record]
  let [count, asked] = [0, 0]
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
    for (const term of one.toLowerCase().split(/\s+/).slice(1)) {
      const [, name, target = ''] = /^[+?~-]?(include|redirect|a|mx|ptr|exists)(?:[:=/](.*))?$/.exec(term) ?? []
      if (!name) continue
      count += 1
      if (count > mostSpfLookups || asked >= mostAsked) return count
      if ((name !== 'include' && name !== 'redirect') || target.includes('%')) continue
      asked += 1
      const at = await ask(target)
      if (at.kind === 'unknown') return null
      waiting.push(...(at.kind === 'found' ? at.texts.filter(isSpf) : []))
    }
  }
  return count
}

const lookAtSpf = async (ask: AskTexts, domain: string): Promise<Finding> => {
  const at = await ask(domain)
  const records = at.kind === 'found' ? at.texts.filter(isSpf) : []
  const [record] = records
  return readSpf(at, spfInclude(), record && records.length === 1 ? await countLookups(ask, record) : null)
}

/** Names of which a DMARC record counts: the domain's, else that of the nearest name above it; the last one is no name of a person. */
const above = (domain: string): string[] => {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}
const mostAbove = 5

const lookAtDmarc = async (ask: AskTexts, domain: string): Promise<Finding> => {
  let at: TextsAt = { kind: 'none' }
  for (const name of above(domain).slice(0, mostAbove)) {
    at = await ask(dmarcName(name))
    if (at.kind === 'unknown' || (at.kind === 'found' && at.texts.some(isDmarc))) break
  }
  return readDmarc(at)
}

/** Asks DNS for every record of a domain. Never inside of a transaction: a name server may take seconds. */
export const lookAt = async ({ domain, proofToken, keys }: LookedAt): Promise<Findings> => {
  const ask = await openDns()
  const [owner, spf, dmarc, ...found] = await Promise.all([
    ask(ownerName(domain)).then((at) => readOwner(at, proofToken)),
    lookAtSpf(ask, domain),
    lookAtDmarc(ask, domain),
    ...keys.map(async ({ selector, publicKey }) => readKey(await ask(keyName(selector, domain)), publicKey)),
  ])
  return {
    owner,
    spf,
    dmarc,
    keys: Object.fromEntries(keys.map(({ selector }, index) => [selector, found[index] as Finding])),
  }
}
