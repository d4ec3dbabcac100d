import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { absoluteUrl, linkToken } from '../../../../platform/links.ts'
import { button, paragraph, small, writeLetter } from '../../../../platform/mail/letter.ts'
import { paths } from '../../../../shared/paths.ts'
import type { Stroke } from '../../../../shared/strokes.ts'
import { asSms } from '../../../businesses/notices/rules.ts'
import { queueMessage } from '../../../messages/server/commands.ts'
import { stopLine } from '../../../messages/server/queries.ts'
import { findWay, listNoticeCustomers, segmentsLeft } from '../../../notices/server/queries.ts'
import { getServices } from '../../../services/server/queries.ts'
import { type LockedVisit, lockVisit } from '../../../visits/server/commands.ts'
import { putExtraLineTx } from '../../../visits/server/extras/commands.ts'
import { extraVerdict } from '../../rules.ts'
import type { ExtraOutcome } from '../../server/commands.ts'
import { agreedState, type ConsentWay, type SellDay, saleCents, saleName, saleTitle, saleWords } from '../rules.ts'
import { findAskedSale, listSaleStops, type SaleStop, saleMinutesAt, unitCentsAt } from './queries.ts'

export type Sale = {
  id: string
  visitId: string
  serviceId: string
  quantity: number
  note: string
  photoIds: readonly string[]
  planned: SellDay
  way: ConsentWay
  /** What the customer was shown for one unit. */
  unitCents: number | null
  signer: string
  strokes: readonly Stroke[]
  position: { latitude: number; longitude: number; accuracyMeters: number } | null
  at: string
  deviceAt: string
}

const tell = (db: TenantDb, visit: LockedVisit): Promise<void> =>
  publishChange(db, 'visits', [visit.id], {
    days: [visit.day, visit.publishedDay],
    crewIds: [visit.crewId, visit.publishedCrewId],
  })

const fits = (visit: LockedVisit): boolean =>
  visit.billable && extraVerdict({ status: visit.status, billed: visit.invoiceId !== null }).kind === 'apply'

/**
 * Asks the customer by the way that is open to them, once.
 * @returns whether there was one
 */
const ask = async (db: TenantDb, sale: Sale, stop: SaleStop, title: string, cents: number): Promise<boolean> => {
  const [customer] = await listNoticeCustomers(db, [stop.customerId])
  const { way } = customer ? await findWay(db, customer, { segmentsLeft: await segmentsLeft(db) }) : { way: null }
  if (!customer || !way) return false
  const link = absoluteUrl(paths.extra(await linkToken(db, 'extra', sale.id)))
  const { language, name } = stop
  const price = `$${(cents / 100).toFixed(2)}`
  const words =
    language === 'es'
      ? {
          text: `${name}: ¿quiere también ${title} en ${stop.street} por ${price} más impuesto? Conteste aquí: ${link}`,
          subject: `${name}: ¿quiere también ${title}?`,
          see: 'Contestar',
        }
      : {
          text: `${name}: would you also like ${title} at ${stop.street} for ${price} plus tax? Answer here: ${link}`,
          subject: `${name}: would you also like ${title}?`,
          see: 'Answer',
        }
  const common = {
    purpose: 'transactional',
    address: way.address,
    dedupeKey: `extra:${sale.id}`,
    customerId: stop.customerId,
    entity: { type: 'visit', id: sale.visitId },
  } as const
  if (way.channel === 'sms') {
    const stopping = await stopLine(db, { customerId: customer.id, address: way.address, language })
    await queueMessage(db, { channel: 'sms', ...common, text: asSms(`${words.text}${stopping}`) })
    return true
  }
  const { brandColor } = await db
    .selectFrom('businesses')
    .select('brandColor')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const letter = writeLetter({
    language,
    from: name,
    brandColor,
    parts: [paragraph(words.text.replace(` ${link}`, '')), button(words.see, link), small(name)],
  })
  await queueMessage(db, { channel: 'email', ...common, subject: words.subject.slice(0, 200), ...letter })
  return true
}

/**
 * Further work that a crew sold at a stop. It stands on the visit where it is done today at a price that the customer agreed to and the rule still
 * says; else it waits for the customer's answer or the office. Said twice it is one.
 */
export const addSaleTx = async (db: TenantDb, actor: Actor, sale: Sale): Promise<ExtraOutcome> => {
  const visit = await lockVisit(db, sale.visitId)
  const known = await db
    .selectFrom('visitExtras')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', sale.id)
    .executeTakeFirst()
  if (known) return { result: 'applied', reason: 'already' }
  const [stop] = await listSaleStops(db, [sale.visitId])
  const offered = await db
    .selectFrom('services')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', sale.serviceId)
    .executeTakeFirst()
  if (!stop || !offered) return { result: 'refused', reason: 'not_found' }
  const [service] = await getServices(db, [sale.serviceId])
  if (!service) return { result: 'refused', reason: 'not_found' }
  const title = saleTitle(service.name, sale.quantity, service.unit)
  const titleEs = saleTitle(saleName(service, 'es'), sale.quantity, service.unit, 'es')
  const shownTitle = stop.language === 'es' ? titleEs : title
  const priceCents = saleCents(sale.quantity, sale.unitCents)
  const ruleCents = saleCents(sale.quantity, unitCentsAt(service, stop))
  const asked = sale.way === 'link' && priceCents !== null
  const signed = sale.way === 'signature' && priceCents !== null && sale.strokes.length > 0
  const state = signed
    ? agreedState({ planned: sale.planned, priceCents, ruleCents, fits: fits(visit) && service.soldAtDoor })
    : asked
      ? 'asked'
      : 'waiting'
  await db
    .insertInto('visitExtras')
    .values({
      businessId: db.businessId,
      id: sale.id,
      visitId: visit.id,
      kind: 'sold',
      state,
      serviceId: sale.serviceId,
      title,
      titleEs,
      quantity: sale.quantity,
      rule: ruleCents === null ? 'No rule gives a price' : `$${(ruleCents / 100).toFixed(2)} by the price book`,
      priceCents,
      shownCents: priceCents,
      ruleCents: service.soldAtDoor ? ruleCents : null,
      planned: sale.planned,
      note: sale.note.trim().slice(0, 500),
      photoIds: [...sale.photoIds],
      userId: actor.userId,
      at: sale.at,
      createdAt: clock.iso(),
    })
    .execute()
  if (signed) {
    await db
      .insertInto('extraConsents')
      .values({
        businessId: db.businessId,
        extraId: sale.id,
        way: 'signature',
        answer: 'yes',
        words: saleWords({ ...stop, business: stop.name, title: shownTitle, priceCents, planned: sale.planned }),
        signer: sale.signer,
        strokes: JSON.stringify(sale.strokes),
        userId: actor.userId,
        at: sale.at,
        deviceAt: sale.deviceAt,
        ...sale.position,
        createdAt: clock.iso(),
      })
      .execute()
  }
  if (asked && !(await ask(db, sale, stop, shownTitle, priceCents)))
    await db
      .updateTable('visitExtras')
      .set({ state: 'waiting' })
      .where('businessId', '=', db.businessId)
      .where('id', '=', sale.id)
      .execute()
  if (state === 'added' && priceCents !== null) await putOn(db, visit, { ...sale, title, titleEs, priceCents })
  await tell(db, visit)
  return { result: 'applied', reason: null }
}

type Sold = { id: string; serviceId: string; title: string; titleEs: string; quantity: number; priceCents: number }

const putOn = async (
  db: TenantDb,
  visit: LockedVisit,
  { id, serviceId, title, titleEs, quantity, priceCents }: Sold,
): Promise<void> =>
  putExtraLineTx(db, visit, {
    extraId: id,
    serviceId,
    title,
    titleEs,
    budgetMinutes: await saleMinutesAt(db, { visitId: visit.id, serviceId, quantity }),
    description: '',
    quantity: 1,
    unitPriceCents: priceCents,
  })

/** What a customer answers by their link: the first answer counts, and the page says what holds. */
export const answerSale = (
  businessId: BusinessId,
  id: string,
  { yes, signer, ip }: { yes: boolean; signer: string; ip: string },
): Promise<void> =>
  withTenant({ businessId }, async (db) => {
    const asked = await findAskedSale(db, id)
    if (!asked) return
    const visit = await lockVisit(db, asked.visitId)
    const extra = await db
      .selectFrom('visitExtras')
      .select(['state', 'serviceId', 'title', 'titleEs', 'quantity', 'planned', 'ruleCents'])
      .where('businessId', '=', businessId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (extra.state !== 'asked' || asked.over) return
    const now = clock.iso()
    await db
      .insertInto('extraConsents')
      .values({
        businessId,
        extraId: id,
        way: 'link',
        answer: yes ? 'yes' : 'no',
        words: saleWords(asked),
        signer: signer.trim().slice(0, 120),
        at: now,
        ip,
        createdAt: now,
      })
      .execute()
    const planned: SellDay = extra.planned === 'today' ? 'today' : 'later'
    // The rule of the moment in which it was asked holds. Where the crew has left by now nobody knows that the work was done.
    const agreed = agreedState({
      planned,
      priceCents: asked.priceCents,
      ruleCents: extra.ruleCents,
      fits: fits(visit) && visit.status !== 'completed',
    })
    const state = yes ? (extra.serviceId === null ? 'waiting' : agreed) : 'refused'
    await db
      .updateTable('visitExtras')
      .set((eb) => ({ state, version: eb('version', '+', 1) }))
      .where('businessId', '=', businessId)
      .where('id', '=', id)
      .execute()
    if (state === 'added' && extra.serviceId !== null)
      await putOn(db, visit, {
        ...extra,
        id,
        serviceId: extra.serviceId,
        quantity: Number(extra.quantity),
        priceCents: asked.priceCents,
      })
    await tell(db, visit)
  })
