import { systemActor } from '../../../../platform/actor.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { formatPhone, readPhone } from '../../../../shared/phone.ts'
import { stateOrNull } from '../../../../shared/states.ts'
import { type ContactKind, contactKinds } from '../../../customers/contacts/rules.ts'
import { updateContactTx } from '../../../customers/contacts/server/commands.ts'
import { updateCustomerTx } from '../../../customers/server/commands.ts'
import { getSender } from '../../../invoices/server/commands.ts'
import { lockAddress, queueMessage, recordConsent, unsuppress } from '../../../messages/server/commands.ts'
import { findSuppression } from '../../../messages/server/queries.ts'
import { noteTx } from '../../../timeline/server/commands.ts'
import { keepOnlyTx } from '../../server/commands.ts'
import type { Door, Language, Person, Session } from '../../server/queries.ts'
import { changedMail } from '../../server/templates.ts'
import { addRequestTx, askOfficeTx, refuseManyTx } from '../../services/server/commands.ts'
import type { AccountForm } from './form.ts'
import { type AccountPage, getAccount } from './queries.ts'

const sameSet = (a: readonly string[], b: readonly string[]): boolean => [...a].sort().join() === [...b].sort().join()

const shown = (value: string | null): string => (value === null || value === '' ? '–' : formatPhone(value))

/** What is another now, a line each, for the timeline and for who should hear of it. */
const changesOf = (before: AccountPage, form: AccountForm, after: { email: string | null; phone: string | null }) => [
  ...(before.name === form.name ? [] : [`Name: ${shown(before.name)} → ${shown(form.name)}`]),
  ...(before.email === after.email ? [] : [`E-mail: ${shown(before.email)} → ${shown(after.email)}`]),
  ...(before.phone === after.phone ? [] : [`Phone: ${shown(before.phone)} → ${shown(after.phone)}`]),
]

/** A yes to offers is for e-mail: a text needs words of its own. A no is a no at every address they have, and had. */
const consentTx = async (
  db: TenantDb,
  before: AccountPage,
  gets: readonly ContactKind[],
  after: { email: string | null; phone: string | null },
): Promise<void> => {
  const [had, has] = [before.gets.includes('marketing'), gets.includes('marketing')]
  if (had === has) return
  const mails = has ? [after.email] : [before.email?.toLowerCase() ?? null, after.email]
  const numbers = has ? [] : [before.phone, after.phone]
  const addresses = [
    ...mails.map((address) => ({ channel: 'email' as const, address })),
    ...numbers.map((address) => ({ channel: 'sms' as const, address })),
  ]
  const once = new Map(addresses.map((one) => [`${one.channel} ${one.address}`, one]))
  for (const { channel, address } of once.values()) {
    if (address === null) continue
    // the same lock as a STOP takes: whichever of both comes second sees the other
    await lockAddress(db, channel, address)
    if (has && (await findSuppression(db, channel, address))?.purpose === 'marketing')
      await unsuppress(db, channel, address)
    await recordConsent(db, {
      channel,
      address,
      purpose: 'marketing',
      action: has ? 'grant' : 'revoke',
      source: 'customer portal',
      wording: has ? 'Offers and news: checked' : 'Offers and news: unchecked',
    })
  }
}

/** What the record keeps: of a box for offers that nobody touched, what it said. */
const keptGets = (before: AccountPage, gets: readonly ContactKind[]): ContactKind[] => {
  const untouched = before.gets.includes('marketing') === gets.includes('marketing')
  return contactKinds.filter((kind) =>
    kind === 'marketing' && untouched ? before.offersOnRecord : gets.includes(kind),
  )
}

/**
 * Changes a person's own contact data. The address they had hears of another one; their other sessions end.
 * @param version what the form was filled with: over somebody else's change nothing is saved
 * @throws AppError version_conflict, state_conflict
 */
export const saveAccount = (
  door: Door,
  { session, person, form, version }: { session: Session; person: Person; form: AccountForm; version: number },
): Promise<void> =>
  withTenant(door, async (db) => {
    const who = systemActor(door.businessId)
    const before = await getAccount(db, person)
    const after = { email: form.email.toLowerCase() || null, phone: form.phone ? readPhone(form.phone) : null }
    const changes = changesOf(before, form, after)
    if (person.contactId === null) {
      const state = stateOrNull.safeParse(form.state)
      await updateCustomerTx(db, who, person.customerId, {
        version,
        name: form.name,
        ...after,
        language: form.language === 'es' ? 'es' : 'en',
        ...(form.way === 'email' || form.way === 'text' || form.way === 'both' ? { paperWay: form.way } : {}),
        gets: keptGets(before, form.gets),
        billingStreet: form.street || null,
        billingCity: form.city || null,
        billingState: state.success ? state.data : null,
        billingZip: form.zip || null,
      })
    } else {
      const row = await db
        .selectFrom('customerContacts')
        .select(['invoicesBy', 'quotesBy', 'visitsBy', 'marketingBy'])
        .where('businessId', '=', db.businessId)
        .where('id', '=', person.contactId)
        .executeTakeFirst()
      if (!row) throw notFound('contact')
      const kept = keptGets(before, form.gets)
      const usual = after.email !== null ? ('email' as const) : ('text' as const)
      // what they get can be ended here; what they never got is the customer's to give
      const ways = Object.fromEntries(
        contactKinds.map((kind) => {
          const way = row[`${kind}By`]
          const reached = way === 'text' ? after.phone !== null : way === 'email' ? after.email !== null : true
          return [`${kind}By`, way !== null && kept.includes(kind) ? (reached ? way : usual) : null]
        }),
      )
      await updateContactTx(db, who, person.contactId, { version, name: form.name, ...after, ...ways })
    }
    await consentTx(db, before, form.gets, after)
    if (!sameSet(before.gets, form.gets)) changes.push(`Gets: ${form.gets.join(', ') || 'nothing'}`)
    if (changes.length === 0) return
    await noteTx(
      db,
      person.customerId,
      `${person.name} changed their data in the customer portal.\n${changes.join('\n')}`,
    )
    const moved = before.email !== after.email || before.phone !== after.phone
    if (moved) await keepOnlyTx(db, session.id, person)
    if (moved && before.email !== null)
      await queueMessage(db, {
        channel: 'email',
        purpose: 'transactional',
        address: before.email,
        dedupeKey: `portal-changed:${person.contactId ?? person.customerId}:${version}`,
        ...changedMail({ name: before.name, changes, language: before.language }, await getSender(db)),
        customerId: person.customerId,
      })
  })

/** Asks the office to change the address of a property; nothing changes before they say so. Of a form that is sent twice once. */
export const askForAddress = (
  door: Door,
  {
    person,
    language,
    propertyId,
    address,
    words,
    onceKey,
  }: {
    person: Person
    language: Language
    propertyId: string
    address: { street: string; unit: string; city: string; state: string; zip: string }
    words: string
    onceKey: string
  },
): Promise<void> =>
  withTenant(door, async (db) => {
    const { properties } = await getAccount(db, person)
    const place = properties.find((one) => one.propertyId === propertyId)
    if (!place) throw notFound('property')
    const state = stateOrNull.safeParse(address.state)
    if (!state.success || state.data === null)
      throw conflict(
        language === 'es'
          ? 'No conocemos ese estado: use dos letras, como GA. No se envió nada.'
          : 'We do not know this state: use two letters, as GA. Nothing was sent.',
      )
    await refuseManyTx(db, person, language)
    const whole = [address.street, address.unit, address.city, `${state.data} ${address.zip}`]
      .filter(Boolean)
      .join(', ')
    const title = `Change ${place.street} to ${whole}`
    const id = await addRequestTx(db, person, {
      kind: 'address',
      title,
      words,
      propertyId,
      fields: { ...address, state: state.data },
      onceKey: `address:${onceKey}`,
    })
    if (id === null) return
    await noteTx(db, person.customerId, `${person.name} asked in the customer portal: ${title}.`)
    await askOfficeTx(db, door, person, {
      id,
      title,
      note: `${words}${words ? '\n' : ''}Asked by ${person.name} in the customer portal. Accept or decline it on the customer's record.`,
    })
  })
