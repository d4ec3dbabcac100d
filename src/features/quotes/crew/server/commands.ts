import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Day } from '../../../../shared/dates.ts'
import { AppError, conflict, notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../../customers/areas/server/queries.ts'
import { findVisitOfMineToday } from '../../../customers/server/queries.ts'
import { addFileTx, storeImage } from '../../../files/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { type MeasuredBy, measureOf, measureOfAsked, type Sizes } from '../../../services/measures/rules.ts'
import { budgetMinutesFor, priceFor } from '../../../services/rules.ts'
import { getServices } from '../../../services/server/queries.ts'
import { QuoteContent } from '../../contract.ts'
import { inputsAt, quoteName } from '../../rules.ts'
import { createQuoteTx } from '../../server/commands.ts'
import { lockQuoteTx, setQuoteTx } from '../../server/rows.ts'
import type { CrewQuote, crewQuotesApi } from '../contract.ts'
import { mostNotedPhotos } from '../rules.ts'
import { getCrewQuote, workedAround } from './queries.ts'

/** Those of these photos that this person took for quotes, in their order. */
const ownPhotos = async (db: TenantDb, actor: Actor, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const own = await db
    .selectFrom('files')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...ids])
    .where('createdBy', '=', actor.userId)
    .where('kind', '=', 'quote')
    .execute()
  return [...new Set(ids)].filter((id) => own.some((one) => one.id === id))
}

/**
 * Notes on site what a customer would like. A crew notes only where it works today, and only its own photos; prices are the office's, who hears of it.
 * @throws not_found
 */
export const noteQuote = (actor: Actor, draft: z.output<typeof crewQuotesApi.create.body>): Promise<CrewQuote> =>
  withTenant(actor, async (db) => {
    if (actor.role === 'Employee' && !(await findVisitOfMineToday(db, draft.propertyId, actor.userId)))
      throw notFound('property')
    if ((await ownPhotos(db, actor, draft.photoIds)).length < new Set(draft.photoIds).size) throw notFound('photo')
    return keepNotedTx(db, actor, draft)
  })

type Noted = z.output<typeof crewQuotesApi.create.body> & { id?: string }

/** A place where what a service goes by is as large as was noted. */
const placeWith = <T extends Sizes>({ measuredBy }: { measuredBy: MeasuredBy }, place: T, size: number): T => ({
  ...place,
  ...(measuredBy === 'lawn'
    ? { lawnSquareFeet: size }
    : measuredBy === 'beds'
      ? { bedSquareFeet: size }
      : { edgeFeet: size }),
})

/** Keeps what was noted as a draft, under an id that a phone made where it has one, and tells the office. @throws not_found, state_conflict for an archived place */
const keepNotedTx = async (db: TenantDb, actor: Actor, draft: Noted): Promise<CrewQuote> => {
  const place = await db
    .selectFrom('properties')
    .select(['lawnSquareFeet', 'difficulty', 'customerId', 'street'])
    .select([bedSquareFeetOf('properties').as('bedSquareFeet'), edgeFeetOf('properties').as('edgeFeet')])
    .where('businessId', '=', db.businessId)
    .where('id', '=', draft.propertyId)
    .executeTakeFirst()
  if (!place) throw notFound('property')
  const services = new Map(
    (
      await getServices(
        db,
        draft.lines.map(({ serviceId }) => serviceId),
      )
    ).map((service) => [service.id, service]),
  )
  const content = QuoteContent.parse({
    photoIds: draft.photoIds,
    lines: draft.lines.flatMap((line) => {
      const service = services.get(line.serviceId)
      if (!service) return []
      const noted = measureOfAsked(service, line).size
      const sizes = noted === null ? place : placeWith(service, place, noted)
      const inputs = inputsAt(service, sizes)
      const measured = { ...measureOf(service, sizes), difficulty: place.difficulty }
      return [
        {
          id: newId(),
          serviceId: service.id,
          name: service.name,
          quantity: line.quantity,
          unit: service.unit,
          inputs,
          unitPriceCents: priceFor(service.priceRule, { ...measured, frequency: 'once' }).cents,
          minutes: budgetMinutesFor(service, { ...measured, quantity: line.quantity }),
          taxCategory: service.taxCategory,
        },
      ]
    }),
  })
  const id = await createQuoteTx(db, actor, {
    propertyId: draft.propertyId,
    title: '',
    content,
    note: draft.note,
    source: 'Crew',
    templateId: null,
    isCrewDraft: true,
    ...(draft.id ? { id: draft.id } : {}),
  })
  const quote = await getCrewQuote(db, actor.userId, id)
  await notifyOffice(db, {
    type: 'quote',
    title: `${actor.name} noted ${quoteName(quote.number)} at ${place.street}`,
    content: [quote.services.join(', '), draft.note].filter(Boolean).join('. ').slice(0, 300),
    customerId: place.customerId,
    path: linkTo.quote(id),
    dedupeKey: `quote-noted:${id}`,
  })
  return quote
}

/**
 * What a phone noted, maybe days ago without a signal: whoever's stop it is by now, the customer said it to this person. Taken where they, or their
 * crew, worked around that day.
 * @returns why it was not taken, or null
 */
export const noteQuoteTx = async (
  db: TenantDb,
  actor: Actor,
  { photoIds, ...draft }: Omit<Noted, 'photoIds' | 'id'> & { id: string; photoIds?: readonly string[] | undefined },
  day: Day,
): Promise<'not_yours' | 'not_found' | null> => {
  if (actor.role === 'Employee' && !(await workedAround(db, draft.propertyId, { userId: actor.userId, day })))
    return 'not_yours'
  try {
    // a photo of before that is not there any more holds up no quote
    await keepNotedTx(db, actor, { ...draft, photoIds: await ownPhotos(db, actor, photoIds ?? []) })
    return null
  } catch (error) {
    // nothing is written before the place and its services are found
    if (error instanceof AppError && (error.status === 404 || error.status === 409)) return 'not_found'
    throw error
  }
}

const fileOf = (db: TenantDb, id: string) =>
  db
    .selectFrom('files')
    .select(['kind', 'createdBy'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()

/**
 * A photo of what one noted, as long as the office has not sent it: then it stays on the phone, which says so.
 * @throws not_found, state_conflict, unsupported_media
 */
export const addNotedPhoto = async (
  actor: Actor,
  quoteId: string,
  id: string,
  bytes: unknown,
): Promise<{ id: string }> => {
  if (!Buffer.isBuffer(bytes) || bytes.byteLength === 0)
    throw new AppError('unsupported_media', 'Send the photo itself, as JPEG, PNG or WebP. Nothing was changed.')
  const isThere = async (db: TenantDb): Promise<boolean> => {
    const quote = await db
      .selectFrom('quotes')
      .select('content')
      .where('businessId', '=', db.businessId)
      .where('id', '=', quoteId)
      .where('createdBy', '=', actor.userId)
      .where('isCrewDraft', '=', true)
      .executeTakeFirst()
    if (!quote) throw notFound('quote')
    return (quote.content as unknown as QuoteContent).photoIds.includes(id)
  }
  if (await withTenant(actor, isThere)) return { id }
  const image = await storeImage(actor, bytes)
  return withTenant(actor, async (db) => {
    const quote = await lockQuoteTx(db, quoteId)
    if (await isThere(db)) return { id }
    const content = quote.content as unknown as QuoteContent
    if (quote.status !== 'draft')
      throw conflict(
        'The office has sent this quote already, so the photo was not added. Send it to the office by chat.',
      )
    const known = await fileOf(db, id)
    // the office has taken it off the quote since: a repeat does not bring it back
    if (known?.createdBy === actor.userId && known.kind === 'quote') return { id }
    if (known) throw conflict('This photo belongs to something else already. Take it again here; nothing was changed.')
    if (content.photoIds.length >= mostNotedPhotos) throw conflict('This quote has its six photos already.')
    await addFileTx(db, actor, 'quote', image, '', id)
    await setQuoteTx(db, quote, { content: JSON.stringify({ ...content, photoIds: [...content.photoIds, id] }) })
    return { id }
  })
}
