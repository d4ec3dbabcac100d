import { randomBytes } from 'node:crypto'
import { type Actor, userIdOf } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import { absoluteUrl, linkHash, linkToken } from '../../../platform/links.ts'
import { conflict } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { getContact } from '../../customers/server/queries.ts'
import { getSender } from '../../invoices/server/commands.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { findSuppression } from '../../messages/server/queries.ts'
import { linkMinutes, readAddress, sessionDays } from '../rules.ts'
import { type Door, findSignIn, getDoor, type Language, listPeople, type Person, readPortalSession } from './queries.ts'
import { signInMail, signInText } from './templates.ts'

type Address = { channel: 'email' | 'sms'; address: string }

/** Sends a link to an address; it is worth nothing to who cannot read what arrives there. */
const sendSignInTx = async (
  db: TenantDb,
  { channel, address }: Address,
  person: Pick<Person, 'name' | 'language'>,
  sentBy: string | null,
): Promise<string> => {
  const id = newId()
  const now = clock.iso()
  await db
    .insertInto('portalLinks')
    .values({
      businessId: db.businessId,
      id,
      channel,
      address,
      sentBy,
      expiresAt: new Date(clock.nowMs() + linkMinutes * 60_000).toISOString(),
      createdAt: now,
    })
    .execute()
  const url = absoluteUrl(paths.portal(await linkToken(db, 'portal', id)))
  const sender = await getSender(db)
  const facts = { name: person.name, url, language: person.language, asked: sentBy === null }
  await queueMessage(db, {
    channel,
    purpose: 'account',
    address,
    dedupeKey: `portal-link:${id}`,
    // stands in no thread: who could read it could sign in as the customer
    entity: { type: 'portal', id },
    userId: sentBy,
    ...(channel === 'email' ? signInMail(facts, sender) : { text: signInText(facts, sender.name) }),
  })
  return id
}

/** Sends a link to whoever typed an address, where somebody has it; who asks learns nothing. @returns whether what was typed can be an address */
export const askForLink = async (businessId: BusinessId, typed: string, language: Language): Promise<boolean> => {
  const read = readAddress(typed)
  if (!read) return false
  await withTenant({ businessId }, async (db) => {
    const [person] = await listPeople(db, read)
    if (!person) return
    await sendSignInTx(db, read, { ...person, language: person.language ?? language }, null)
  })
  return true
}

/** The office sends a customer a link. @throws not_found, state_conflict where nothing would reach them */
export const sendPortalLink = (
  actor: Actor,
  customerId: string,
  { by }: { by: 'email' | 'sms' },
): Promise<{ address: string }> =>
  withTenant(actor, async (db) => {
    const { name } = await getContact(db, customerId)
    const door = await getDoor(db)
    if (!door.rules.enabled)
      throw conflict('Your customer portal is off: see Profile, Messages, Customer portal. Nothing was sent.')
    const customer = await db
      .selectFrom('customers')
      .select(['email', 'phone', 'language', 'archivedAt'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', customerId)
      .executeTakeFirstOrThrow()
    if (customer.archivedAt)
      throw conflict(`${name} is archived, so a link would not open. Switch the customer on first. Nothing was sent.`)
    const read = readAddress((by === 'email' ? customer.email : customer.phone) ?? '')
    if (!read || read.channel !== by)
      throw conflict(
        by === 'email'
          ? `${name} has no e-mail on file. Add one first, or send the link by text. Nothing was sent.`
          : `${name} has no mobile number on file. Add one first, or send the link by e-mail. Nothing was sent.`,
      )
    const shut = await findSuppression(db, by, read.address)
    if (shut?.purpose === 'all')
      throw conflict(`Nothing can be sent to ${read.address}: ${shut.reason}. Nothing was sent.`)
    await sendSignInTx(db, read, { name, language: customer.language as Language }, userIdOf(actor))
    await audit(db, actor, 'portal.link', { type: 'customer', id: customerId }, { after: { by } })
    return { address: read.address }
  })

export type Entered =
  | { kind: 'in'; cookie: string; door: Door; choose: boolean }
  | { kind: 'used' | 'expired' | 'gone' | 'nobody' | 'closed' | 'off'; door: Door | null }

/** Signs in by a link, once: of two who press at once the second is told that it was used. */
export const enter = (businessId: BusinessId, linkId: string): Promise<Entered> =>
  withTenant({ businessId }, async (db): Promise<Entered> => {
    const door = await getDoor(db)
    if (door.closed) return { kind: 'closed', door }
    if (!door.rules.enabled) return { kind: 'off', door }
    const link = await findSignIn(db, linkId)
    if (!link) return { kind: 'gone', door }
    if (link.state !== 'open') return { kind: link.state, door }
    const now = clock.iso()
    const taken = await db
      .updateTable('portalLinks')
      .set({ usedAt: now })
      .where('businessId', '=', businessId)
      .where('id', '=', linkId)
      .where('usedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!taken) return { kind: 'used', door }
    const people = await listPeople(db, link)
    if (people.length === 0) return { kind: 'nobody', door }
    const only = people.length === 1 ? people[0] : null
    const id = newId()
    const secret = randomBytes(32).toString('base64url')
    await db
      .insertInto('portalSessions')
      .values({
        businessId,
        id,
        channel: link.channel,
        address: link.address,
        customerId: only?.customerId ?? null,
        contactId: only?.contactId ?? null,
        secretHash: linkHash(secret),
        createdAt: now,
        lastUsedAt: now,
        expiresAt: new Date(clock.nowMs() + sessionDays * 86_400_000).toISOString(),
      })
      .execute()
    return { kind: 'in', cookie: `${id}.${secret}`, door, choose: only === null }
  })

const setSession = (db: TenantDb, id: string, values: Record<string, unknown>) =>
  db.updateTable('portalSessions').set(values).where('businessId', '=', db.businessId).where('id', '=', id).execute()

/** Takes one of the records that the signed-in address belongs to. @returns whether it belongs to it */
export const choosePerson = (businessId: BusinessId, cookie: string | undefined, customerId: string) =>
  withTenant({ businessId }, async (db) => {
    const state = await readPortalSession(db, cookie)
    if (state.kind !== 'in') return false
    const person = (await listPeople(db, state.session)).find((one) => one.customerId === customerId)
    if (!person) return false
    await setSession(db, state.session.id, { customerId, contactId: person.contactId })
    return true
  })

/** Notes at most every five minutes that a session is used. */
export const noteUse = async (db: TenantDb, id: string): Promise<void> => {
  const now = clock.iso()
  await db
    .updateTable('portalSessions')
    .set({ lastUsedAt: now })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .where('lastUsedAt', '<', new Date(clock.nowMs() - 300_000).toISOString())
    .execute()
}

export const setSessionLanguage = (db: TenantDb, id: string, language: Language) => setSession(db, id, { language })

/** Ends this session, or all of the same person. */
export const signOut = (businessId: BusinessId, cookie: string | undefined, everywhere: boolean): Promise<void> =>
  withTenant({ businessId }, async (db) => {
    const state = await readPortalSession(db, cookie)
    if (state.kind !== 'in') return
    const { id, person, address } = state.session
    const own = db
      .updateTable('portalSessions')
      .set({ revokedAt: clock.iso() })
      .where('businessId', '=', businessId)
      .where('revokedAt', 'is', null)
    if (!everywhere) await own.where('id', '=', id).execute()
    else if (person === null) await own.where('address', '=', address).execute()
    else
      await own
        .where('customerId', '=', person.customerId)
        .where('contactId', person.contactId === null ? 'is' : '=', person.contactId)
        .execute()
  })

/** The person changed their own address here: this session goes on, the others of theirs end. */
export const keepOnlyTx = async (db: TenantDb, sessionId: string, person: Person): Promise<void> => {
  await db
    .updateTable('portalSessions')
    .set({ revokedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', person.customerId)
    .where('contactId', person.contactId === null ? 'is' : '=', person.contactId)
    .where('id', '!=', sessionId)
    .where('revokedAt', 'is', null)
    .execute()
  await setSession(db, sessionId, { readdressed: true })
}
