import { createPrivateKey } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import type { Actor } from '../../../../platform/actor.ts'
import { config } from '../../../../platform/config.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { decryptField } from '../../../../platform/keys.ts'
import { log } from '../../../../platform/log.ts'
import type { OwnSender } from '../../../../platform/mail/mailer.ts'
import { canOf } from '../../../../shared/can.ts'
import { paths } from '../../../../shared/paths.ts'
import { type Sender, type SenderDomain, type SenderRecord, senderApi } from '../contract.ts'
import {
  dmarcName,
  dmarcSuggestion,
  type Finding,
  type Findings,
  keyName,
  keyValue,
  notLooked,
  ownerName,
  ownerValue,
  retiredDays,
  type SenderFacts,
  senderRefusals,
  spfValue,
} from '../rules.ts'

/** The name whose SPF record lists our mail servers, or null where this server says none; on one's own computer an invented one. */
export const spfInclude = (): string | null => config.mailSpfInclude ?? (config.production ? null : 'spf.swath.example')

const rowOf = (db: TenantDb) => db.selectFrom('senderDomains').selectAll().where('businessId', '=', db.businessId)

/** The own domain of the business with its keys, the newest first; undefined where there is none. */
export const findDomain = async (db: TenantDb, lock = false) => {
  const row = await rowOf(db)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) return undefined
  const keys = await db
    .selectFrom('senderDomainKeys')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('senderDomainId', '=', row.id)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  return { row, keys }
}
export type FoundDomain = NonNullable<Awaited<ReturnType<typeof findDomain>>>

export const factsOf = (found: FoundDomain | undefined): SenderFacts => ({
  state: found?.row.state ?? null,
  hasNextKey: found?.row.state === 'live' && found.keys.some(({ state }) => state === 'made'),
})

const record = (
  kind: SenderRecord['kind'],
  needed: boolean,
  name: string,
  value: string | null,
  finding: Finding = notLooked,
): SenderRecord => ({ kind, needed, name, type: 'TXT', value, ...finding })

const recordsOf = ({ row, keys }: FoundDomain): SenderRecord[] => {
  const { domain, proofToken } = row
  const findings = row.findings as Findings
  const include = spfInclude()
  const key = keys.find(({ state }) => state === 'signing') ?? keys.find(({ state }) => state === 'made')
  const next = keys.find(({ state, id }) => state === 'made' && id !== key?.id)
  const ofKey = (kind: 'key' | 'nextKey', one: typeof key): SenderRecord[] =>
    one
      ? [record(kind, true, keyName(one.selector, domain), keyValue(one.publicKey), findings.keys?.[one.selector])]
      : []
  return [
    ...(row.provenAt === null
      ? [record('owner', true, ownerName(domain), ownerValue(proofToken), findings.owner)]
      : []),
    ...ofKey('key', key),
    ...ofKey('nextKey', next),
    record('spf', false, domain, include && spfValue(findings.spf, include), findings.spf),
    record('dmarc', false, dmarcName(domain), dmarcSuggestion, findings.dmarc),
  ]
}

const toDomain = (found: FoundDomain): SenderDomain => {
  const { row, keys } = found
  const retired = keys.find(({ state }) => state === 'retired')
  return {
    address: row.address,
    domain: row.domain,
    shownDomain: domainToUnicode(row.domain),
    state: row.state,
    taken: row.taken,
    isMissing: row.missed > 0,
    refused: row.refusedAt === null ? null : { at: row.refusedAt, reason: row.refusedReason ?? '' },
    records: recordsOf(found),
    signingSince: row.state === 'live' ? (keys.find(({ state }) => state === 'signing')?.signingSince ?? null) : null,
    retired: retired?.retiredAt
      ? {
          name: keyName(retired.selector, row.domain),
          until: new Date(Date.parse(retired.retiredAt) + retiredDays * 86_400_000).toISOString(),
        }
      : null,
    checkedAt: row.checkedAt,
    nextLookAt: row.nextLookAt,
    version: row.version,
  }
}

/** The address that mail to customers leaves from, with everything that an own one needs. */
export const getSender = async (db: TenantDb, actor: Actor): Promise<Sender> => {
  const found = await findDomain(db)
  const own = found ? toDomain(found) : null
  const needs = {
    add: senderApi.add,
    change: senderApi.change,
    check: senderApi.check,
    rotate: senderApi.rotate,
    keepKey: senderApi.keepKey,
    remove: senderApi.remove,
  }
  return {
    own,
    leavesFrom: own?.state === 'live' && !own.refused ? own.address : config.mailFrom,
    swathAddress: config.mailFrom,
    localDnsPath: !config.production && !config.dnsServers ? paths.localDns : null,
    can: canOf(actor, needs, senderRefusals, factsOf(found)),
  }
}

type SealedSender = { address: string; domain: string; selector: string; privateCipher: string }

/** What mail of the business leaves from and is signed with right now; null: from Swath's own address. */
export const findSender = async (db: TenantDb): Promise<SealedSender | null> => {
  const row = await db
    .selectFrom('senderDomains')
    .innerJoin('senderDomainKeys', (join) =>
      join
        .onRef('senderDomainKeys.businessId', '=', 'senderDomains.businessId')
        .onRef('senderDomainKeys.senderDomainId', '=', 'senderDomains.id'),
    )
    .select([
      'senderDomains.address',
      'senderDomains.domain',
      'senderDomainKeys.selector',
      'senderDomainKeys.privateCipher',
    ])
    .where('senderDomains.businessId', '=', db.businessId)
    .where('senderDomains.state', '=', 'live')
    .where('senderDomains.refusedAt', 'is', null)
    .where('senderDomainKeys.state', '=', 'signing')
    .executeTakeFirst()
  return row?.privateCipher ? { ...row, privateCipher: row.privateCipher } : null
}

/** The address with its key as the mailer takes them. A key that cannot be read holds up no mail: it leaves from Swath's address. */
export const openSender = ({ address, domain, selector, privateCipher }: SealedSender): OwnSender | null => {
  try {
    const privateKey = decryptField(privateCipher)
    createPrivateKey(privateKey)
    return { address, dkim: { domainName: domain, keySelector: selector, privateKey } }
  } catch (error) {
    log.error({ err: error, selector }, 'the key of an own domain cannot be read; mail leaves from our own address')
    return null
  }
}
