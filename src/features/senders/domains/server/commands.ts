import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { type Actor, type SystemActor, systemActor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import type { Once } from '../../../../platform/http/idempotency.ts'
import { countUse } from '../../../../platform/http/rate-limit.ts'
import { newId } from '../../../../platform/ids.ts'
import { encryptField } from '../../../../platform/keys.ts'
import { refuse } from '../../../../shared/can.ts'
import { conflict, invalid } from '../../../../shared/errors.ts'
import type { Sender } from '../contract.ts'
import { afterLook, type Findings, senderRefusals } from '../rules.ts'
import { readSenderAddress } from './address.ts'
import { lookAt } from './look.ts'
import { tellTx } from './notices.ts'
import { type FoundDomain, factsOf, findDomain, getSender } from './queries.ts'

const makePair = promisify(generateKeyPair)

type NewKey = { selector: string; publicKey: string; privateCipher: string }

/** A key pair of its own under a selector that was never used: no name server remembers that nothing stood there. */
const makeKey = async (): Promise<NewKey> => {
  const { publicKey, privateKey } = await makePair('rsa', { modulusLength: 2048 })
  return {
    selector: `swath${clock.iso().slice(0, 7).replace('-', '')}${randomBytes(3).toString('hex')}`,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    privateCipher: encryptField(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
  }
}

const addKeyTx = (db: TenantDb, senderDomainId: string, key: NewKey) =>
  db
    .insertInto('senderDomainKeys')
    .values({ businessId: db.businessId, id: newId(), senderDomainId, ...key, createdAt: clock.iso() })
    .execute()

type Changes = Partial<Omit<FoundDomain['row'], 'businessId' | 'id' | 'findings'>> & { findings?: string }

const writeTx = async (db: TenantDb, row: FoundDomain['row'], changes: Changes): Promise<void> => {
  await db
    .updateTable('senderDomains')
    .set({ ...changes, version: row.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .execute()
  await publishChange(db, 'business')
}

const tell = (db: TenantDb, who: Actor | SystemActor, action: string, id: string, after: Record<string, unknown>) =>
  audit(db, who, `sender.${action}`, { type: 'sender_domain', id }, { after })

const isClaimedByOthers = async (db: TenantDb, domain: string): Promise<boolean> => {
  const claim = await db.selectFrom('senderClaims').select('businessId').where('domain', '=', domain).executeTakeFirst()
  return claim !== undefined && claim.businessId !== db.businessId
}

/** Of two that prove a domain at once one has it. */
const claimTx = async (db: TenantDb, domain: string): Promise<boolean> => {
  await db
    .insertInto('senderClaims')
    .values({ domain, businessId: db.businessId })
    .onConflict((c) => c.doNothing())
    .execute()
  return !(await isClaimedByOthers(db, domain))
}

const letGoTx = (db: TenantDb) => db.deleteFrom('senderClaims').where('businessId', '=', db.businessId).execute()

/**
 * Begins with an address at an own domain.
 * @throws validation_failed where it is none, or another business writes from the domain; state_conflict where there is one already
 */
export const addSender = async (actor: Actor, typed: string, once: Once): Promise<Sender> => {
  const { address, domain } = readSenderAddress(typed)
  const key = await makeKey()
  return once(() =>
    withTenant(actor, async (db) => {
      refuse(senderRefusals.add(factsOf(await findDomain(db, true))))
      if (await isClaimedByOthers(db, domain))
        throw invalid([
          {
            path: 'address',
            message: `${domain} is in use at Swath already. If it is yours, write to support; nothing was changed.`,
          },
        ])
      const id = newId()
      const now = clock.iso()
      const added = await db
        .insertInto('senderDomains')
        .values({
          ...{ businessId: db.businessId, id, domain, address, proofToken: randomBytes(16).toString('hex') },
          ...{ nextLookAt: new Date(clock.nowMs() + 3_600_000).toISOString(), createdAt: now, updatedAt: now },
        })
        // two presses at once
        .onConflict((c) => c.column('businessId').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!added) throw conflict('Somebody else has just added an address. Reload the page; nothing was changed.')
      await addKeyTx(db, id, key)
      await tell(db, actor, 'add', id, { address })
      await publishChange(db, 'business')
      return getSender(db, actor)
    }),
  )
}

const lockFor = async (db: TenantDb, action: keyof typeof senderRefusals, version?: number): Promise<FoundDomain> => {
  const found = await findDomain(db, true)
  refuse(senderRefusals[action](factsOf(found)))
  if (!found) throw new Error('a refusal let something through that is not there')
  if (version !== undefined) requireVersion(found.row, version, 'this address')
  return found
}

/** Another address at the same domain. @throws validation_failed, version_conflict, state_conflict */
export const changeSender = (actor: Actor, body: { address: string; version: number }): Promise<Sender> => {
  const { address, domain } = readSenderAddress(body.address)
  return withTenant(actor, async (db) => {
    const { row } = await lockFor(db, 'change', body.version)
    if (domain !== row.domain)
      throw invalid([
        {
          path: 'address',
          message: `Only what stands before @${row.domain} can change. Remove this address first to write from another domain.`,
        },
      ])
    if (address !== row.address) {
      await tell(db, actor, 'change', row.id, { address })
      await writeTx(db, row, { address })
    }
    return getSender(db, actor)
  })
}

const switchKeyTx = async (db: TenantDb, { keys }: FoundDomain, id: string): Promise<void> => {
  const now = clock.iso()
  const one = (keyId: string) =>
    db.updateTable('senderDomainKeys').where('businessId', '=', db.businessId).where('id', '=', keyId)
  for (const old of keys.filter((key) => key.state === 'signing' && key.id !== id))
    await one(old.id).set({ state: 'retired', privateCipher: null, retiredAt: now }).execute()
  await one(id).set({ state: 'signing', seenAt: now, signingSince: now }).execute()
}

/** Writes down what a look found, and what follows: mail begins to leave from the address, another key signs, or none does any more. */
const takeLookTx = async (db: TenantDb, who: Actor | SystemActor, found: FoundDomain, findings: Findings) => {
  const { row, keys } = found
  const verdict = afterLook({ ...row, keys }, findings, clock.nowMs())
  const begins = verdict.signs !== null && row.state !== 'live'
  const isTaken = begins && !(await claimTx(db, row.domain))
  const signs = isTaken ? null : verdict.signs
  const now = clock.iso()
  if (signs !== null) {
    if (keys.find(({ id }) => id === signs)?.state !== 'signing') await switchKeyTx(db, found, signs)
    await tell(db, who, begins ? 'live' : 'rotated', row.id, { address: row.address })
  }
  if (verdict.lapses) {
    await letGoTx(db)
    await tell(db, who, 'lapse', row.id, { address: row.address })
  }
  await writeTx(db, row, {
    findings: JSON.stringify(findings),
    taken: isTaken,
    checkedAt: now,
    ...{ missed: verdict.missed, missedAt: verdict.missedAt, looks: verdict.looks, nextLookAt: verdict.nextLookAt },
    ...(signs === null ? {} : { state: 'live' as const, provenAt: row.provenAt ?? now }),
    ...(verdict.lapses ? { state: 'lapsed' as const, lapsedAt: now } : {}),
  })
  await tellTx(db, row, { lapsed: verdict.lapses, live: begins && signs !== null, rotated: !begins && signs !== null })
}

const lookedAtOf = ({ row, keys }: FoundDomain) => ({
  domain: row.domain,
  proofToken: row.proofToken,
  keys: keys.filter(({ state }) => state !== 'retired'),
})

/** A look of which nobody asks again; what was changed meanwhile is looked at the next time. */
const finishLookTx = async (
  db: TenantDb,
  who: Actor | SystemActor,
  id: string,
  findings: Findings,
  changes: Changes = {},
): Promise<void> => {
  const found = await findDomain(db, true)
  if (found?.row.id !== id) return
  await takeLookTx(db, who, { ...found, row: { ...found.row, ...changes } as FoundDomain['row'] }, findings)
}

const looksAtOnce = 20
const looksSeconds = 600

/** Asks DNS now. @throws state_conflict, too_many_requests */
export const checkSender = async (actor: Actor, once: Once): Promise<Sender> => {
  const before = await withTenant(actor, (db) => lockFor(db, 'check'))
  await countUse(`sender-check:${actor.businessId}`, looksAtOnce, looksSeconds)
  const findings = await lookAt(lookedAtOf(before))
  return once(() =>
    withTenant(actor, async (db) => {
      // whoever presses asks for another try, also of our own mail server
      await db
        .updateTable('senderDomains')
        .set({ refusedAt: null, refusedReason: null })
        .where('businessId', '=', db.businessId)
        .where('id', '=', before.row.id)
        .execute()
      // a person at work on it is not made to wait longer for each press: the looks by themselves begin anew
      await finishLookTx(db, actor, before.row.id, findings, { looks: -1 })
      return getSender(db, actor)
    }),
  )
}

/** The look of the hour: does nothing where none is due. */
export const lookAgain = async (businessId: BusinessId): Promise<void> => {
  const actor = systemActor(businessId)
  const due = await withTenant(actor, async (db) => {
    const found = await findDomain(db)
    const at = found?.row.nextLookAt
    return found && at && Date.parse(at) <= clock.nowMs() ? found : null
  })
  if (!due) return
  const findings = await lookAt(lookedAtOf(due))
  await withTenant(actor, (db) => finishLookTx(db, actor, due.row.id, findings))
}

/** @throws state_conflict, version_conflict */
export const rotateKey = async (actor: Actor, version: number, once: Once): Promise<Sender> => {
  const key = await makeKey()
  return once(() =>
    withTenant(actor, async (db) => {
      const { row } = await lockFor(db, 'rotate', version)
      await addKeyTx(db, row.id, key)
      await tell(db, actor, 'rotate', row.id, { selector: key.selector })
      await writeTx(db, row, { looks: 0, nextLookAt: new Date(clock.nowMs() + 3_600_000).toISOString() })
      return getSender(db, actor)
    }),
  )
}

/** Drops a new key that never signed. @throws state_conflict, version_conflict */
export const keepKey = (actor: Actor, version: number): Promise<Sender> =>
  withTenant(actor, async (db) => {
    const { row } = await lockFor(db, 'keepKey', version)
    await db
      .deleteFrom('senderDomainKeys')
      .where('businessId', '=', db.businessId)
      .where('senderDomainId', '=', row.id)
      .where('state', '=', 'made')
      .execute()
    await tell(db, actor, 'keep-key', row.id, {})
    await writeTx(db, row, {})
    return getSender(db, actor)
  })

/** Deletes the address with its keys; the domain is anybody's again who can prove it. */
export const removeSenderTx = async (db: TenantDb, who: Actor | SystemActor): Promise<void> => {
  const gone = await db
    .deleteFrom('senderDomains')
    .where('businessId', '=', db.businessId)
    .returning(['id', 'address'])
    .executeTakeFirst()
  if (!gone) return
  await letGoTx(db)
  await tell(db, who, 'remove', gone.id, { address: gone.address })
  await publishChange(db, 'business')
}

/** @throws state_conflict, version_conflict */
export const removeSender = (actor: Actor, version: number): Promise<Sender> =>
  withTenant(actor, async (db) => {
    await lockFor(db, 'remove', version)
    await removeSenderTx(db, actor)
    return getSender(db, actor)
  })

/** Our mail server takes nothing from the address: mail leaves from Swath's until somebody asks for another try. */
export const noteSenderRefusedTx = async (db: TenantDb, reason: string): Promise<void> => {
  const refused = await db
    .updateTable('senderDomains')
    .set((eb) => ({ refusedAt: clock.iso(), refusedReason: reason.slice(0, 300), version: eb('version', '+', 1) }))
    .where('businessId', '=', db.businessId)
    .where('refusedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!refused) return
  await tellTx(db, refused, { refused: true })
  await publishChange(db, 'business')
}
