import { sql } from 'kysely'
import { bedSquareFeetOf, edgeFeetOf } from '../features/customers/areas/server/queries.ts'
import { billQuote } from '../features/quotes/billing/server/commands.ts'
import { QuoteContent } from '../features/quotes/contract.ts'
import { inputsAt } from '../features/quotes/rules.ts'
import { createQuote, declineQuote, sendQuote } from '../features/quotes/server/commands.ts'
import { convertQuote } from '../features/quotes/server/convert.ts'
import { getQuote } from '../features/quotes/server/queries.ts'
import { approveQuote } from '../features/quotes/signing/server/commands.ts'
import { createTemplate } from '../features/quotes/templates/server/commands.ts'
import { askForChanges, seeQuote } from '../features/quotes/viewer/server/commands.ts'
import { measureOf, type Sizes } from '../features/services/measures/rules.ts'
import { priceFor } from '../features/services/rules.ts'
import { listServices, type PricedService } from '../features/services/server/queries.ts'
import type { Actor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { directly } from '../platform/http/idempotency.ts'
import { newId } from '../platform/ids.ts'
import { addDays, dayOf } from '../shared/dates.ts'

type Place = Sizes & { propertyId: string; difficulty: number }

const terms =
  'Prices hold for the season. Visits that weather stops move to the next working day. Either side may end the agreement with two weeks of notice.'

/** Customers with an e-mail and a measured lawn, from the end of the list: nobody of the first screens. */
const listPlaces = (owner: Actor): Promise<Place[]> =>
  withTenant(owner, async (db) => {
    const { rows } = await sql<Place>`
      select p.id as "propertyId", p.lawn_square_feet as "lawnSquareFeet", ${bedSquareFeetOf('p')} as "bedSquareFeet",
        ${edgeFeetOf('p')} as "edgeFeet", p.difficulty
      from properties p join customers c on c.business_id = p.business_id and c.id = p.customer_id
      where p.business_id = ${db.businessId} and c.email is not null and p.lawn_square_feet is not null and p.archived_at is null and c.archived_at is null
      order by c.name desc, p.id limit 8`.execute(db)
    return rows
  })

const lineOf = (service: PricedService, place: Place, more: Partial<QuoteContent['lines'][number]> = {}) => {
  const inputs = inputsAt(service, place)
  const frequency = more.frequency ?? 'once'
  return {
    id: newId(),
    serviceId: service.id,
    name: service.name,
    frequency,
    inputs,
    unitPriceCents:
      priceFor(service.priceRule, {
        ...measureOf(service, place),
        difficulty: place.difficulty,
        frequency,
      }).cents ?? 18_000,
    taxCategory: service.taxCategory,
    minutes: 45,
    ...more,
  }
}

/** A season in two packages with an option. */
const seasonOf = (services: readonly PricedService[], place: Place): QuoteContent => {
  const of = (category: PricedService['category']) => services.filter((one) => one.category === category)
  const [mow] = of('mow')
  const [install] = of('install')
  const [treat] = of('treat')
  const [cleanup] = of('cleanup')
  const edging = services.find(({ code }) => code === 'edging')
  return QuoteContent.parse({
    packages: [
      { id: 'good', name: 'Good', description: 'A mowed lawn, week after week' },
      { id: 'better', name: 'Better', description: 'Mowed, and cleaned up in spring', recommended: true },
    ],
    lines: [
      ...(mow ? [lineOf(mow, place, { frequency: 'weekly', visits: 30 })] : []),
      ...(cleanup ? [lineOf(cleanup, place, { packageIds: ['better'], minutes: 120 })] : []),
      ...(install ? [lineOf(install, place, { optional: true, minutes: 150 })] : []),
      ...(edging && place.edgeFeet !== null ? [lineOf(edging, place, { optional: true })] : []),
      ...(treat ? [lineOf(treat, place, { optional: true, preselected: true })] : []),
    ],
    deposit: { kind: 'amount', value: 15_000 },
    message: 'Thank you for showing us around. Here is what we would do this season.',
    terms,
  })
}

/** Nothing of the past is mailed out now. */
export const keepQuiet = (owner: Actor) =>
  withTenant(owner, async (db) => {
    await db
      .updateTable('messages')
      .set((eb) => ({ status: 'sent', sentAt: eb.ref('createdAt') }))
      .where('businessId', '=', db.businessId)
      .where('entityType', '=', 'quote')
      .where('status', 'in', ['pending', 'held'])
      .execute()
  })

/** Quotes in every state: a draft, two with customers, changes that were asked for, one signed, one lost, one that is a job, one that is an invoice. */
export const quoteWork = async (owner: Actor): Promise<void> => {
  const places = await listPlaces(owner)
  const services = await withTenant(owner, (db) => listServices(db))
  const today = dayOf(clock.now(), owner.timeZone)
  const make = async (place: Place, title: string) =>
    createQuote(owner, {
      propertyId: place.propertyId,
      title,
      content: seasonOf(services, place),
      note: '',
      source: ['Yard sign', 'Neighbor', 'Website'][places.indexOf(place) % 3] ?? '',
      templateId: null,
    })
  const send = async (place: Place, title: string) => {
    const draft = await make(place, title)
    return sendQuote(owner, draft.id, { mail: true, text: false, version: draft.version })
  }
  const revisionOf = (quoteId: string) =>
    withTenant(owner, (db) =>
      db
        .selectFrom('quoteRevisions')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('quoteId', '=', quoteId)
        .executeTakeFirstOrThrow(),
    )
  const approve = async (place: Place, title: string) => {
    const sent = await send(place, title)
    const body = {
      signer: sent.customer.name,
      note: 'Agreed on the phone',
      choice: firstOf(sent.content),
      version: sent.version,
    }
    return approveQuote(owner, sent.id, body, directly)
  }
  const [draft, waiting, seen, changes, signed, lost, job, billed] = places
  if (draft) {
    const kept = await make(draft, 'Season of mowing')
    await createTemplate(owner, { name: 'Season in two packages', fromQuoteId: kept.id })
  }
  if (waiting) await send(waiting, 'Season of mowing')
  if (seen) await seeQuote(owner.businessId, (await revisionOf((await send(seen, 'Full service')).id)).id)
  if (changes)
    await askForChanges(
      owner.businessId,
      (await revisionOf((await send(changes, 'Full service')).id)).id,
      'Could you mow every two weeks in July and August?',
    )
  if (signed) await approve(signed, 'Season of mowing')
  if (billed) await billQuote(owner, (await approve(billed, 'Season of mowing')).id)
  if (lost) {
    const sent = await send(lost, 'Season of mowing')
    await declineQuote(owner, sent.id, { reason: 'price', note: 'A neighbor does it for less', version: sent.version })
  }
  if (job) {
    const done = await approve(job, 'Season of mowing')
    const { version } = await withTenant(owner, (db) => getQuote(db, owner, done.id))
    await convertQuote(owner, done.id, { startOn: addDays(today, 7), crewId: null, instructions: '', version })
  }
  await keepQuiet(owner)
}

const firstOf = ({ packages, lines }: QuoteContent) => ({
  packageId: packages.find(({ recommended }) => recommended)?.id ?? null,
  lineIds: lines.filter(({ optional, preselected }) => optional && preselected).map(({ id }) => id),
})
